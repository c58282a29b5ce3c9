package dev.pawl.cli;

import java.util.OptionalInt;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * The rule of every command that changes more than the one thing that it names: it says how much, and on a terminal asks, unless
 * {@code --yes} is given. Scripts are not asked. {@code BulkRuleTest} fails for a command that does not follow it.
 */
final class BulkOptions {
    @Option(
            names = {"-y", "--yes"},
            description =
                    "Do not ask. Without it a terminal shows how much it would change, and asks; scripts are not asked.")
    private boolean yes;

    /**
     * What a command would change.
     *
     * @param count of jobs, queues or other things that it changes; 0 if there seems to be nothing: then no question is asked
     * @param words a sentence without its full stop, such as "3 job(s) match: 3 available"
     */
    record Extent(long count, String words) {}

    /** {@return whether the user will be asked: then it is worth counting} */
    boolean asks() {
        return !yes && Confirmation.canBeAsked();
    }

    /**
     * Asks whether to go on.
     *
     * @param command that reports that nothing was changed
     * @param nothing the JSON of that
     * @param extent is computed only if the user is asked
     * @return empty to go on, also if there seems to be nothing to change: the command itself says so, as in scripts; otherwise the
     *     exit code
     */
    OptionalInt refusal(CliCommand command, Object nothing, Supplier<Extent> extent) {
        if (!asks()) {
            return OptionalInt.empty();
        }
        Extent found = extent.get();
        if (found.count == 0 || Confirmation.isYes(command.err(), command.database().shardWords() + found.words + ". Go on?")) {
            return OptionalInt.empty();
        }
        command.report(nothing, "nothing was changed");
        return OptionalInt.of(1);
    }
}
