package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.internal.store.Verdict;
import java.util.Optional;

/**
 * What is recorded of a run when the database refuses its outcome: that the attempt has failed, with a short reason. So nothing of the
 * refused outcome is sent again, and the job goes on like any other that fails.
 */
final class Substitute {
    private static final int LONGEST = 1_000;

    private final Judge judge;
    private final Handlers handlers;

    Substitute(Judge judge, Handlers handlers) {
        this.judge = judge;
        this.handlers = handlers;
    }

    /**
     * @param job whose run has ended
     * @param verdict that the database does not take
     * @param error of the database
     * @return what to record; empty if the verdict has nothing to leave out
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
            return judge.failed(job, bounded(text), handlers.retryPolicy(job.kind()));
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
