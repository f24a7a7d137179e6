// A snapshot as JSON, and back.
import { Either } from "effect"
import type { Exporter } from "./Observability.ts"
import type { InvalidSnapshot, Snapshot } from "./Snapshot.ts"
import * as SnapshotDecoder from "./internal/snapshot/SnapshotDecoder.ts"
import * as SnapshotEncoder from "./internal/snapshot/SnapshotEncoder.ts"

/** A snapshot as a JSON document that ends in a line break. */
const encode = (snapshot: Snapshot): string => SnapshotEncoder.encode(snapshot, {})

/** JSON for `Observability.export` and `dump`. */
export const exporter: Exporter = { contentType: "application/json", export: encode }

/** The snapshot of an encoded text. A text with any flaw is refused, because a partial snapshot gives wrong sums. */
export const decode = (text: string): Either.Either<Snapshot, InvalidSnapshot> =>
  Either.flatMap(SnapshotDecoder.parse(text), (document) => SnapshotDecoder.decode(document))
