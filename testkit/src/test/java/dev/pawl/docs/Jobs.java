package dev.pawl.docs;

import static dev.pawl.docs.PayloadsTest.SEND_WELCOME_LATER;
import static dev.pawl.docs.PayloadsTest.codec;
import static dev.pawl.docs.PayloadsTest.mailer;

import dev.pawl.HandlerSet;
import dev.pawl.JobQueueBuilder;
import dev.pawl.WorkerBuilder;

/** The handlers of a release, in a public class that {@code pawl check} can instantiate. */
public final class Jobs implements HandlerSet {
    @Override
    public void addTo(WorkerBuilder worker) {
        worker.handle(SEND_WELCOME_LATER, (welcome, run) -> mailer.send(welcome.email()))
                .alias("mail.welcome", SEND_WELCOME_LATER);
    }

    @Override
    public void configure(JobQueueBuilder queue) {
        queue.codec(codec);
    }
}
