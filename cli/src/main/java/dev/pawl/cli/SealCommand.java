package dev.pawl.cli;

import dev.pawl.Batch;
import picocli.CommandLine.Command;

@Command(
        name = "seal",
        mixinStandardHelpOptions = true,
        description = "Declare that no more jobs are added to a batch.",
        subcommands = SealCommand.OfBatch.class)
final class SealCommand {
    @Command(
            name = "batch",
            mixinStandardHelpOptions = true,
            description = "Declare that no more jobs are added to a batch: it is done when all of its jobs have ended.")
    static final class OfBatch extends OneBatch {
        @Override
        int change(Batch batch) {
            boolean sealed = batch.seal();
            report(
                    JsonForm.object("batchId", batch.id(), "sealed", true, "changed", sealed),
                    "batch " + batch.id() + (sealed ? " is sealed" : " was sealed already"));
            return 0;
        }
    }
}
