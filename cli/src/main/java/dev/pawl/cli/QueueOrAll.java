package dev.pawl.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The subject of a command: one queue, or all of them. */
final class QueueOrAll {
    @Parameters(paramLabel = "QUEUE", description = "The queue's name.")
    String queue = "";

    @Option(names = "--all", required = true, description = "All queues, also those that come into being later.")
    boolean all;
}
