package traces

import _ "embed"

// Schema describes what Encode writes, as a JSON Schema.
//
//go:embed schema.json
var Schema string
