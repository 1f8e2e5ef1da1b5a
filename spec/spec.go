// Package spec lists the systems that mc can check.
package spec

import (
	"mc/model"
	"mc/spec/appendwindow"
	"mc/spec/bcsidmap"
	"mc/spec/diehard"
	"mc/spec/installsnapshot"
	"mc/spec/nodehealth"
	"mc/spec/twophase"
)

// All are the specs in alphabetical order of their names.
var All = []*model.Entry{
	appendwindow.Entry,
	bcsidmap.Entry,
	diehard.Entry,
	installsnapshot.Entry,
	nodehealth.Entry,
	twophase.Entry,
}
