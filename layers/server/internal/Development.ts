// What a program has in `development` alone: recorded requests, and the mailbox of the file transport. Loaded only there.
import { Layer } from "effect"
import type { Settings } from "../../../src/mail/MailSettings.ts"
import * as FileMailbox from "../../mail/internal/FileMailbox.ts"
import * as DevelopmentRecorder from "../../devtools/internal/DevelopmentRecorder.ts"

/** For a program with these settings of its mail. */
export const layer = ({ transport }: Settings): Layer.Layer<never> =>
  Layer.merge(
    DevelopmentRecorder.layer,
    transport._tag === "File" ? FileMailbox.layer({ folder: transport.folder }) : Layer.empty
  )
