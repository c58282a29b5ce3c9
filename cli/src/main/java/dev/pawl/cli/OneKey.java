package dev.pawl.cli;

import dev.pawl.limit.ConcurrencyKey;
import picocli.CommandLine.Parameters;

/** Base of the commands for one concurrency key. */
abstract class OneKey extends CliCommand {
    @Parameters(index = "0", paramLabel = "QUEUE", description = "The queue of its jobs.")
    private String queue = "";

    @Parameters(index = "1", paramLabel = "KEY", description = "The key of the jobs, of up to 200 characters.")
    private String key = "";

    final ConcurrencyKey key() {
        return new ConcurrencyKey(queue, key);
    }

    final String named() {
        return "key " + Texts.cut(key) + " of queue " + queue;
    }
}
