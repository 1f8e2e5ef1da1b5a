// Package spec lists the systems that mc can check.
package spec

import (
	"mc/model"
	"mc/spec/diehard"
	"mc/spec/twophase"
)

// All are the specs in alphabetical order of their names.
var All = []*model.Entry{
	diehard.Entry,
	twophase.Entry,
}
