package checker

import "slices"

// choose draws one of the moves, or is -1 if all of them leave the bound.
//
// Drawing evenly is a poor walk. Bugs lie where one thing is put off while
// another happens again and again, and an even walk does that with a chance
// that falls with every step: it hardly ever meets a commit of two-phase commit
// with seven managers, any of which may abort first. So every walk has a taste
// of its own: each action and each instance gets a weight from 1 down to 1/128,
// by powers of two, and an instance is drawn with a chance in proportion to the
// product of its two. (Groce, Zhang, Eide, Chen and Regehr, "Swarm Testing",
// 2012, leave features out of a test altogether; a weight only puts them off,
// so that no walk gets stuck.)
//
// Of 109 findings in ten configurations of bcsid-map, two-phase and die-hard,
// each sought with nine seeds and 3,000 walks, 39 of the 981 were missed by
// walks that drew an action evenly and then an instance, 32 by those that drew
// an instance evenly, 5 with weights of instances alone, 1 with weights of
// actions alone, and none with both.
func (w *walker) choose() int {
	w.weigh()
	for len(w.moves) > 0 {
		total := uint64(0)
		for _, n := range w.weights {
			total += n
		}
		k, lot := 0, w.lots.Uint64N(total)
		for ; lot >= w.weights[k]; k++ {
			lot -= w.weights[k]
		}
		i := w.moves[k]
		switch within, fault := w.eval.Within(w.batch.State(i)); {
		case fault != nil:
			w.note(w.run.fault(), nil, w.batch.Labels[i])
			return -1
		case within:
			return i
		}
		w.cut++
		w.moves, w.weights = slices.Delete(w.moves, k, k+1), slices.Delete(w.weights, k, k+1)
	}
	return -1
}

// weigh gives each move its weight. Labels come in the order of their actions.
func (w *walker) weigh() {
	w.weights = w.weights[:0]
	actions, a := w.s.m.Actions, 0
	for _, i := range w.moves {
		l := w.batch.Labels[i]
		for int(l-actions[a].First) >= actions[a].Instances {
			a++
		}
		put := spread(w.taste+uint64(a))%8 + spread(^w.taste+uint64(l))%8
		w.weights = append(w.weights, 1<<14>>put)
	}
}

// spread is a random function of 64 bits (the end of SplitMix64: Steele, Lea
// and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
func spread(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
