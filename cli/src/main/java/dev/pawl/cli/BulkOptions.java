package dev.pawl.cli;

import java.util.OptionalInt;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * Confirmation for commands that change many things: on a terminal, without {@code --yes}, they show the extent and ask.
 * {@code BulkRuleTest} fails for such a command without this option.
 */
final class BulkOptions {
    @Option(
            names = {"-y", "--yes"},
            description = "Skip the confirmation, which is only requested on a terminal.")
    private boolean yes;

    /**
     * What a command would change.
     *
     * @param count number of jobs, queues or other things that it changes; 0 if there seem to be none, and then there is no prompt
     * @param words a sentence without its full stop, such as "3 job(s) match: 3 available"
     */
    record Extent(long count, String words) {}

    /** {@return whether to prompt; if not, the extent need not be counted} */
    boolean prompts() {
        return !yes && Confirmation.canBeAsked();
    }

    /**
     * Asks whether to continue.
     *
     * @param command prints the refusal
     * @param nothing the JSON to print if the user refuses
     * @param extent computed only if the user is prompted
     * @return empty to continue (also with nothing to change; the command reports that), else the exit code
     */
    OptionalInt refusal(CliCommand command, Object nothing, Supplier<Extent> extent) {
        return refusal(command, () -> nothing, extent);
    }

    /** Like the other method, but computes the JSON only if it is printed. */
    OptionalInt refusal(CliCommand command, Supplier<?> nothing, Supplier<Extent> extent) {
        if (!prompts()) {
            return OptionalInt.empty();
        }
        Extent found = extent.get();
        if (found.count == 0
                || Confirmation.isYes(command.err(), command.database().shardWords() + found.words + ". Continue?")) {
            return OptionalInt.empty();
        }
        command.report(command.output().isJson() ? nothing.get() : "", "nothing was changed");
        return OptionalInt.of(1);
    }
}
