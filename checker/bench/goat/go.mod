module mc/checker/bench/goat

go 1.26.0

require github.com/goatx/goat v0.6.0
