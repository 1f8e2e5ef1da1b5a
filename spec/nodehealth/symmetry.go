package nodehealth

import "mc/model"

// symmetry makes the datanodes that may stop interchangeable, and the
// containers.
func (r *rules) symmetry() (all []model.Symmetry[State]) {
	if r.faulty > 1 {
		all = append(all, model.Interchangeable("datanode", r.faulty, renameNodes))
	}
	if n := len(r.containers.Values); n > 1 {
		all = append(all, model.Interchangeable("container", n, renameContainers))
	}
	return all
}

func renameNodes(s *State, n *model.Renaming[Node]) {
	model.Move(n, s.DN[:])
	for i, e := range s.DeadQ.All() {
		e.Node = n.To(e.Node)
		s.DeadQ.Put(i, e)
	}
	if s.Handler.PC != Idle {
		s.Handler.Node = n.To(s.Handler.Node)
	}
}

func renameContainers(s *State, n *model.Renaming[Container]) {
	for i := range s.DN {
		d := &s.DN[i]
		d.NodeSet, d.Replicas = d.NodeSet.Renamed(n), d.Replicas.Renamed(n)
		for j, p := range d.ReportQ.All() {
			if !p.full() {
				d.ReportQ.Put(j, ICR+Report(n.To(Container(p-ICR))))
			}
		}
	}
	s.Handler.Todo = s.Handler.Todo.Renamed(n)
}
