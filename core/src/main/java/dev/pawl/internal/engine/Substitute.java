package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Verdict;
import java.util.Optional;

/**
 * Finds a substitute for an outcome that the database refuses. A completion becomes a failed attempt. Any other outcome keeps its kind, but
 * a short reason replaces its text. Nothing of the refused text is sent again.
 */
final class Substitute {
    private static final int LONGEST = 1_000;

    private final OutcomePolicy outcomePolicy;
    private final Handlers handlers;

    Substitute(OutcomePolicy outcomePolicy, Handlers handlers) {
        this.outcomePolicy = outcomePolicy;
        this.handlers = handlers;
    }

    /**
     * @param job whose run is finished
     * @param verdict that the database refuses
     * @param error of the database
     * @return the substitute; empty if the verdict has no text that could be left out
     */
    Optional<Verdict> of(Job job, Verdict verdict, Exception error) {
        String why = "could not be recorded: " + ErrorText.firstLine(error);
        return switch (verdict.kind()) {
            case COMPLETED -> {
                String text = bounded("the handler has completed, but its outcome " + why);
                yield Optional.of(outcomePolicy.failed(job, text, handlers.retryPolicy(job.kind())));
            }
            case RETRY ->
                Optional.of(
                        new Verdict.Retry(verdict.delay(), bounded("the attempt has failed, but its error " + why)));
            case SNOOZE, RELEASE, PAUSE -> Optional.empty();
            case CANCELLED -> Optional.of(new Verdict.Cancelled(bounded("cancelled, but the reason " + why)));
            case DISCARDED -> {
                String text = bounded("discarded, but the reason " + why);
                yield Optional.of(new Verdict.Discarded(text, text));
            }
        };
    }

    private static String bounded(String text) {
        return ErrorText.clean(text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…");
    }
}
