package seen

// FingerprintBytes is the size of a fingerprint.
const FingerprintBytes = 2 * wordBytes

// Fingerprints replaces states of stride words that lie back to back by 128
// bits of hash each, in out. Two states have the same one with a probability
// of about 2^-128: the halves come from different constants.
func Fingerprints(states []uint64, stride int, out []uint64) []uint64 {
	out = out[:0]
	for ; len(states) >= stride && stride > 0; states = states[stride:] {
		a, b := uint64(k1), uint64(k2)
		rest := states[:stride]
		for ; len(rest) >= 2; rest = rest[2:] {
			a = mix(rest[0]^a, rest[1]^k0)
			b = mix(rest[0]^k1, rest[1]^b)
		}
		if len(rest) == 1 {
			a = mix(rest[0]^a, k0)
			b = mix(rest[0]^k1, b^k0)
		}
		out = append(out, mix(a, k0), mix(b, k1))
	}
	return out
}
