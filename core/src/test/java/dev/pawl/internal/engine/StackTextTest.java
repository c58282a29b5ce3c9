package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class StackTextTest {
    private static final StackTraceElement OURS =
            new StackTraceElement("dev.pawl.internal.engine.Runner", "run", "Runner.java", 1);
    private static final StackTraceElement LAMBDA =
            new StackTraceElement("shop.Mail$$Lambda$787/0x00007f6a7c24c210", "handle", null, -1);
    private static final StackTraceElement THREAD =
            new StackTraceElement("java.lang.Thread", "run", "Thread.java", 840);
    private static final StackTraceElement THEIRS =
            new StackTraceElement("app", "shop", "1.0", "shop.Mail", "send", "Mail.java", 7);

    @Test
    void theCallersOfTheHandlerAreLeftOutAndItsOwnCallsAreKept() {
        StackTraceElement sleep = new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", 3);
        assertThat(StackText.of(
                        Thread.State.TIMED_WAITING,
                        new StackTraceElement[] {sleep, OURS, THEIRS, LAMBDA, OURS, THREAD}))
                .isEqualTo("""
                        TIMED_WAITING
                            at java.lang.Thread.sleep(Thread.java:3)
                            at dev.pawl.internal.engine.Runner.run(Runner.java:1)
                            at shop.Mail.send(Mail.java:7)""");
    }

    @Test
    void adaptersOfHandlersAreLeftOut() {
        for (StackTraceElement adapter : new StackTraceElement[] {
            new StackTraceElement("dev.pawl.api.Handlers", "lambda$returning$0", "Handlers.java", 22),
            new StackTraceElement("dev.pawl.metrics.otel.JobTraces", "ran", "JobTraces.java", 126),
            new StackTraceElement("java.lang.reflect.Method", "invoke", "Method.java", 580)
        }) {
            assertThat(StackText.of(
                            Thread.State.RUNNABLE,
                            new StackTraceElement[] {THEIRS, adapter, OURS, adapter, OURS, THREAD}))
                    .isEqualTo("""
                            RUNNABLE
                                at shop.Mail.send(Mail.java:7)""");
        }
    }

    @Test
    void aDeepOneIsCut() {
        StackTraceElement[] deep = Collections.nCopies(10_000, THEIRS).toArray(StackTraceElement[]::new);
        assertThat(StackText.of(Thread.State.RUNNABLE, deep)).hasLineCount(202).endsWith("… and 9800 more");
        StackTraceElement[] wide = new StackTraceElement[200];
        Arrays.fill(wide, new StackTraceElement("x".repeat(1_000), "m", "F.java", 1));
        assertThat(StackText.of(Thread.State.RUNNABLE, wide)).hasSize(16_384);
    }

    @Test
    void aThreadThatIsNotInItsHandlerSaysSo() {
        assertThat(StackText.of(Thread.State.RUNNABLE, new StackTraceElement[] {OURS, THREAD}))
                .isEqualTo("RUNNABLE\n    (not in the handler just now)");
    }
}
