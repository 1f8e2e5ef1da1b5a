package bcsidmap

import "mc/model"

// symmetry makes the two writers interchangeable where they write in the same
// mode; each takes its container along if they have one of their own.
func (r *rules) symmetry() []model.Symmetry[State] {
	if r.mode[0] != r.mode[1] {
		return nil
	}
	apart := r.into[0] != r.into[1]
	return []model.Symmetry[State]{model.Interchangeable("writer", maxWriters, func(s *State, n *model.Renaming[Writer]) {
		model.Move(n, s.Blk[:])
		model.Move(n, s.BlkBCSID[:])
		model.Move(n, s.Spc[:])
		model.Move(n, s.Skind[:])
		model.Move(n, s.Sval[:])
		model.Move(n, s.Status[:])
		model.Move(n, s.SESent[:])
		model.Move(n, s.Attempt[:])
		for i, e := range s.Log.All() {
			if e.Op != Conf && (e.Op != CC || apart) {
				e.Of = uint8(n.To(Writer(e.Of)))
				s.Log.Put(i, e)
			}
		}
		if apart {
			renameContainers(s, n)
		}
	})}
}

// renameContainers gives container c the new name of writer c.
func renameContainers(s *State, n *model.Renaming[Writer]) {
	model.Move(n, s.CState[:])
	model.Move(n, s.BCSID[:])
	for _, set := range []*Containers{&s.Witnessed, &s.Bad, &s.Missing,
		&s.Ghost.Touched, &s.Ghost.Covered, &s.Ghost.Lost, &s.Ghost.Corrupted} {
		var renamed Containers
		for c := range set.All() {
			renamed.Add(Container(n.To(Writer(c))))
		}
		*set = renamed
	}
	for _, m := range []*BCSIDs{&s.SnapMap, &s.Map} {
		var renamed BCSIDs
		for c, v := range m.All() {
			renamed.Put(Container(n.To(Writer(c))), v)
		}
		*m = renamed
	}
}
