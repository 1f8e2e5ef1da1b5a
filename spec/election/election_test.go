package election

import (
	"testing"

	"mc/model/modeltest"
)

func TestSpec(t *testing.T) { modeltest.Run(t, Entry) }
