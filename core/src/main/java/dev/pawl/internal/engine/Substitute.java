package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Verdict;
import java.util.Optional;

/**
 * Replaces an outcome that the database refuses by a failed attempt with a short reason. Nothing of the refused outcome is sent again, and
 * the job goes on like any other that fails.
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
        return verdict.choose(new Reduced(job, "could not be recorded: " + ErrorText.firstLine(error)));
    }

    private static String bounded(String text) {
        return ErrorText.clean(text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…");
    }

    private final class Reduced implements Verdict.Cases<Optional<Verdict>> {
        private final Job job;
        private final String why;

        Reduced(Job job, String why) {
            this.job = job;
            this.why = why;
        }

        private Verdict failed(String text) {
            return outcomePolicy.failed(job, bounded(text), handlers.retryPolicy(job.kind()));
        }

        @Override
        public Optional<Verdict> completed() {
            return Optional.of(failed("the handler has completed, but its outcome " + why));
        }

        @Override
        public Optional<Verdict> retry(Verdict.Retry retry) {
            return Optional.of(
                    new Verdict.Retry(retry.delay(), bounded("the attempt has failed, but its error " + why)));
        }

        @Override
        public Optional<Verdict> snooze(Verdict.Snooze snooze) {
            return Optional.empty();
        }

        @Override
        public Optional<Verdict> giveBack() {
            return Optional.empty();
        }

        @Override
        public Optional<Verdict> pause() {
            return Optional.empty();
        }

        @Override
        public Optional<Verdict> cancelled(Verdict.Cancelled cancelled) {
            return Optional.of(new Verdict.Cancelled(bounded("cancelled, but the reason " + why)));
        }

        @Override
        public Optional<Verdict> discarded(Verdict.Discarded discarded) {
            String text = bounded("discarded, but the reason " + why);
            return Optional.of(new Verdict.Discarded(text, text));
        }
    }
}
