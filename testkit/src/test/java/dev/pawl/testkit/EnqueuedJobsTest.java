package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.testkit.junit.PawlTest;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

@PawlTest
class EnqueuedJobsTest {
    record Mail(String to, int parts) {}

    private static final JobType<Mail> MAIL = JobType.of("mail", Mail.class);
    private static final JobType<String> NOTE = JobType.of("note", String.class);
    private static final Duration DELAY = Duration.ofMillis(90_000_001);

    @Test
    void everyConditionFiltersJobs(JobQueue queue, QueueTester tester) {
        Mail plain = new Mail("Ada", 1);
        Mail special = new Mail("Bob", 2);
        queue.enqueue(MAIL, plain);
        queue.enqueue(
                MAIL,
                special,
                EnqueueOptions.DEFAULTS
                        .queue("slow")
                        .priority(7)
                        .delay(DELAY)
                        .maxAttempts(3)
                        .uniqueKey("bob")
                        .tags("weekly")
                        .header("tenant", "x"));

        tester.enqueued(MAIL).assertCount(2);
        for (UnaryOperator<EnqueuedJobs<Mail>> condition : java.util.List.<UnaryOperator<EnqueuedJobs<Mail>>>of(
                jobs -> jobs.matching(mail -> mail.parts() == 2),
                jobs -> jobs.queue("slow"),
                jobs -> jobs.priority(7),
                jobs -> jobs.delay(DELAY),
                jobs -> jobs.maxAttempts(3),
                jobs -> jobs.uniqueKey("bob"),
                jobs -> jobs.tag("weekly"),
                jobs -> jobs.header("tenant", "x"))) {
            assertThat(condition.apply(tester.enqueued(MAIL)).assertOne()).isEqualTo(special);
        }
        assertThat(tester.enqueued(MAIL).queue("default").delay(Duration.ZERO).assertOne())
                .isEqualTo(plain);
        tester.enqueued(MAIL).queue("slow").priority(0).assertNone();
        assertThat(tester.enqueued(MAIL).payloads()).containsExactly(plain, special);
    }

    @Test
    void keysOfBlockedAndUnblockedJobsAreFound(JobQueue queue, QueueTester tester) {
        queue.enqueue(NOTE, "first", NOTE.defaults().key("k"));
        queue.enqueue(NOTE, "second", NOTE.defaults().key("k"));
        queue.enqueue(NOTE, "other", NOTE.defaults().key("l"));
        assertThat(tester.enqueued(NOTE).key("k").assertCount(2)).containsExactly("first", "second");
        assertThatThrownBy(() -> tester.enqueued(NOTE).key("m").assertOne()).hasMessageContaining(" blocked ");
    }

    @Test
    void messagesShowTheEnqueuedJobs(JobQueue queue, QueueTester tester) {
        assertThatThrownBy(() -> tester.enqueued(MAIL).assertOne())
                .hasMessage("expected 1 job(s) of kind 'mail', found 0. Enqueued of this kind: nothing\n"
                        + "of other kinds: nothing");
        long mail = queue.enqueue(MAIL, new Mail("Ada", 1), MAIL.defaults().delay(Duration.ofDays(1)))
                .jobId();
        long note = queue.enqueue(NOTE, "n", NOTE.defaults().header("a", "b")).jobId();
        assertThatThrownBy(() -> tester.enqueued(MAIL)
                        .queue("slow")
                        .matching("a mail to Bob", to -> false)
                        .assertOne())
                .isInstanceOf(AssertionError.class)
                .hasMessage("expected 1 job(s) of kind 'mail' with queue=slow, a mail to Bob, found 0."
                        + " Enqueued of this kind: 1\n"
                        + "  #" + mail + " mail queue=default priority=0 attempt=0/20 delay=PT24H"
                        + " payload={\"to\":\"Ada\",\"parts\":1}\n"
                        + "of other kinds: 1\n"
                        + "  #" + note + " note queue=default priority=0 attempt=0/20 headers={a=b} payload=\"n\"");
        assertThatThrownBy(() -> tester.enqueued(NOTE).assertNone()).hasMessageContaining("expected no job");
        assertThatThrownBy(tester::assertNothingEnqueued).hasMessageContainingAll("found 2", "#" + mail, "#" + note);
    }

    @Test
    void finishedJobsAreNotEnqueued(JobQueue queue, QueueTester tester) {
        queue.enqueue(NOTE, "n");
        tester.drainNow(Worker.on(queue).handle(NOTE, (text, run) -> {}));
        tester.assertNothingEnqueued();
        tester.enqueued(NOTE).assertNone();
    }

    @Test
    void undecodablePayloadsAreShown(JobQueue queue, QueueTester tester) {
        queue.enqueue(NOTE, "n");
        JobType<Mail> wrong = JobType.of("note", Mail.class);
        assertThatThrownBy(() -> tester.enqueued(wrong).payloads())
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("cannot be read as", "payload=\"n\"");
    }
}
