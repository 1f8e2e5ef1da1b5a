// Package spec lists the systems that mc can check.
package spec

import (
	"mc/model"
	"mc/spec/appendwindow"
	"mc/spec/bcsidmap"
	"mc/spec/diehard"
	"mc/spec/election"
	"mc/spec/installsnapshot"
	"mc/spec/nodehealth"
	"mc/spec/paxoscommit"
	"mc/spec/peterson"
	"mc/spec/twophase"
)

// All are the specs in alphabetical order of their names.
var All = []*model.Entry{
	appendwindow.Entry,
	bcsidmap.Entry,
	diehard.Entry,
	election.Entry,
	installsnapshot.Entry,
	nodehealth.Entry,
	paxoscommit.Entry,
	peterson.Entry,
	twophase.Entry,
}
