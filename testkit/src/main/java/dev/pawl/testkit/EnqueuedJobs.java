package dev.pawl.testkit;

import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.JobType;
import dev.pawl.admin.JobFilter;
import dev.pawl.internal.QueueInside;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The waiting jobs of a type, and what a test says about them: {@code tester.enqueued(MAIL).queue("slow").assertOne()}. Jobs
 * that are delayed, wait for a retry, or wait for others of their key are among them; those that run or have ended are not. Every
 * method looks anew, at 10,000 jobs at most. Immutable and thread-safe. A failed assertion shows what is enqueued.
 *
 * @param <T> the payload
 */
public final class EnqueuedJobs<T> {
    private static final int MOST = 10_000;

    private final JobQueue queue;
    private final JobType<T> type;
    private final List<Condition> conditions;

    EnqueuedJobs(JobQueue queue, JobType<T> type) {
        this(queue, type, List.of());
    }

    private EnqueuedJobs(JobQueue queue, JobType<T> type, List<Condition> conditions) {
        this.queue = queue;
        this.type = type;
        this.conditions = conditions;
    }

    private record Condition(String text, Predicate<Job> test) {}

    private EnqueuedJobs<T> with(String text, Predicate<Job> test) {
        List<Condition> more = new ArrayList<>(conditions);
        more.add(new Condition(text, test));
        return new EnqueuedJobs<>(queue, type, List.copyOf(more));
    }

    /**
     * @param test of the payload
     * @return only those whose payload passes it
     */
    public EnqueuedJobs<T> matching(Predicate<? super T> test) {
        return matching("a payload that matches", test);
    }

    /**
     * @param description of the payload, for the message: {@code "an order of Ada's"}
     * @param test of the payload
     * @return only those whose payload passes it
     */
    public EnqueuedJobs<T> matching(String description, Predicate<? super T> test) {
        return with(description, job -> test.test(payload(job)));
    }

    /**
     * @param name of a queue
     * @return only those in it
     */
    public EnqueuedJobs<T> queue(String name) {
        return with("queue=" + name, job -> job.queue().equals(name));
    }

    /**
     * @param priority smallest first
     * @return only those with it
     */
    public EnqueuedJobs<T> priority(int priority) {
        return with("priority=" + priority, job -> job.priority() == priority);
    }

    /**
     * @param delay between the enqueue and the moment from which the job may run, to the microsecond; a retry changes it, and a
     *     job that waits for others of its key has none
     * @return only those with it
     */
    public EnqueuedJobs<T> delay(Duration delay) {
        Duration micros = delay.truncatedTo(ChronoUnit.MICROS);
        return with("delay=" + delay, job -> JobText.delay(job).equals(micros));
    }

    /**
     * @param key a unique key
     * @return only the one with it
     */
    public EnqueuedJobs<T> uniqueKey(String key) {
        return with("uniqueKey=" + key, job -> key.equals(job.uniqueKey()));
    }

    /**
     * @param key of jobs that run one after the other
     * @return only those with it
     */
    public EnqueuedJobs<T> key(String key) {
        return with("key=" + key, job -> job.key().filter(key::equals).isPresent());
    }

    /**
     * @param maxAttempts how often a job may be started
     * @return only those with it
     */
    public EnqueuedJobs<T> maxAttempts(int maxAttempts) {
        return with("maxAttempts=" + maxAttempts, job -> job.maxAttempts() == maxAttempts);
    }

    /**
     * @param tag a tag
     * @return only those with it
     */
    public EnqueuedJobs<T> tag(String tag) {
        return with("tag=" + tag, job -> job.tags().contains(tag));
    }

    /**
     * @param name of a header
     * @param value of it
     * @return only those with it
     */
    public EnqueuedJobs<T> header(String name, String value) {
        return with(
                "header " + name + "=" + value,
                job -> Objects.equals(value, job.headers().get(name)));
    }

    /** {@return the jobs, oldest first} */
    public List<Job> jobs() {
        return all(JobFilter.ALL.kind(type.kind())).stream()
                .filter(this::isMeant)
                .toList();
    }

    /**
     * {@return their payloads, oldest first, as a handler would get them}
     *
     * @throws AssertionError if one cannot be read
     */
    public List<T> payloads() {
        return jobs().stream().map(this::payload).collect(Collectors.toList()); // which may be null
    }

    /**
     * @return the payload of the only one
     * @throws AssertionError if there are more or fewer
     */
    public T assertOne() {
        return assertCount(1).get(0);
    }

    /**
     * @param count how many there must be
     * @return their payloads, oldest first
     * @throws AssertionError if there are more or fewer
     */
    public List<T> assertCount(int count) {
        List<Job> found = jobs();
        if (found.size() != count) {
            throw new AssertionError(difference(count == 0 ? "no job" : count + " job(s)", found.size()));
        }
        return found.stream().map(this::payload).collect(Collectors.toList());
    }

    /**
     * @throws AssertionError if there is one
     */
    public void assertNone() {
        List<T> unused = assertCount(0);
    }

    private boolean isMeant(Job job) {
        return conditions.stream().allMatch(each -> each.test.test(job));
    }

    private T payload(Job job) {
        try {
            return QueueInside.of(queue).codec().decode(job.payload(), type.payloadType());
        } catch (RuntimeException e) { // whatever the codec, or a constructor of the payload's, throws
            throw new AssertionError("the payload cannot be read as " + type.payloadType() + ": " + JobText.of(job), e);
        }
    }

    private String difference(String expected, int found) {
        String wanted = conditions.stream().map(Condition::text).collect(Collectors.joining(", "));
        List<Job> waiting = all(JobFilter.ALL);
        List<Job> same =
                waiting.stream().filter(job -> job.kind().equals(type.kind())).toList();
        List<Job> others =
                waiting.stream().filter(job -> !job.kind().equals(type.kind())).toList();
        return "expected " + expected + " of kind '" + type.kind() + "'" + (wanted.isEmpty() ? "" : " with " + wanted)
                + ", found " + found + ". Enqueued of this kind: " + (same.isEmpty() ? "nothing" : same.size())
                + JobText.list(same)
                + "\nof other kinds: " + (others.isEmpty() ? "nothing" : others.size()) + JobText.list(others);
    }

    private List<Job> all(JobFilter which) {
        return waiting(queue, which);
    }

    /** {@return the waiting ones, oldest first} */
    static List<Job> waiting(JobQueue queue, JobFilter which) {
        return queue.admin().list(which.state(JobState.AVAILABLE).limit(MOST)).stream()
                .sorted((a, b) -> Long.compare(a.id(), b.id()))
                .toList();
    }
}
