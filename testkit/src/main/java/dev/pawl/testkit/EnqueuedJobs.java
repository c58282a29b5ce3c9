package dev.pawl.testkit;

import dev.pawl.JobQueue;
import dev.pawl.admin.Choice;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.internal.QueueRuntime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The waiting jobs of a type, with assertions for tests: {@code tester.enqueued(MAIL).queue("slow").assertOne()}. Includes jobs that are
 * delayed or paused, and jobs that wait for a retry or for other jobs of their concurrency key or workflow. Excludes running and finished
 * jobs. Every method queries the database anew, for at most 10,000 jobs. Immutable and thread-safe. Failed assertions show the enqueued
 * jobs.
 *
 * @param <T> the payload
 */
public final class EnqueuedJobs<T> {
    private static final int MAX = 10_000;

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
     * @return the jobs whose payload passes the test
     */
    public EnqueuedJobs<T> matching(Predicate<? super T> test) {
        return matching("a payload that matches", test);
    }

    /**
     * @param description of the payload, for the message: {@code "an order of Ada's"}
     * @param test of the payload
     * @return the jobs whose payload passes the test
     */
    public EnqueuedJobs<T> matching(String description, Predicate<? super T> test) {
        return with(description, job -> test.test(payload(job)));
    }

    /**
     * @param name of a queue
     * @return the jobs in this queue
     */
    public EnqueuedJobs<T> queue(String name) {
        return with("queue=" + name, job -> job.queue().equals(name));
    }

    /**
     * @param priority of a job, where a smaller number runs earlier
     * @return the jobs with this priority
     */
    public EnqueuedJobs<T> priority(int priority) {
        return with("priority=" + priority, job -> job.priority() == priority);
    }

    /**
     * @param delay the time from the enqueue to the moment when the job may run, without fractions of a microsecond. A retry changes this
     *     time. For a job that waits for other jobs of its concurrency key, it is the delay given at the enqueue
     * @return the jobs with this delay
     */
    public EnqueuedJobs<T> delay(Duration delay) {
        Duration micros = delay.truncatedTo(ChronoUnit.MICROS);
        return with("delay=" + delay, job -> JobText.delay(job).equals(micros));
    }

    /**
     * @param key a unique key
     * @return the job with this key
     */
    public EnqueuedJobs<T> uniqueKey(String key) {
        return with("uniqueKey=" + key, job -> key.equals(job.uniqueKey()));
    }

    /**
     * @param key a concurrency key
     * @return the jobs with this key
     */
    public EnqueuedJobs<T> key(String key) {
        return with("key=" + key, job -> job.key().filter(key::equals).isPresent());
    }

    /**
     * @param maxAttempts maximum number of starts of a job
     * @return the jobs with this maximum
     */
    public EnqueuedJobs<T> maxAttempts(int maxAttempts) {
        return with("maxAttempts=" + maxAttempts, job -> job.maxAttempts() == maxAttempts);
    }

    /**
     * @param tag a tag
     * @return the jobs with this tag
     */
    public EnqueuedJobs<T> tag(String tag) {
        return with("tag=" + tag, job -> job.tags().contains(tag));
    }

    /**
     * @param name of a header
     * @param value of the header
     * @return the jobs with this header
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
     * {@return the payloads of the jobs, oldest first, as a handler would receive them}
     *
     * @throws AssertionError if one cannot be decoded
     */
    public List<T> payloads() {
        return jobs().stream().map(this::payload).collect(Collectors.toList()); // payloads may be null
    }

    /**
     * @return the payload of the only job
     * @throws AssertionError if there are more or fewer
     */
    public T assertOne() {
        return assertCount(1).get(0);
    }

    /**
     * @param count the expected number
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

    /** @throws AssertionError if there is one */
    public void assertNone() {
        List<T> unused = assertCount(0);
    }

    private boolean isMeant(Job job) {
        return conditions.stream().allMatch(each -> each.test.test(job));
    }

    private T payload(Job job) {
        try {
            return queue.unwrap(QueueRuntime.class).codec().decode(job.payload(), type.payloadType());
        } catch (RuntimeException e) { // thrown by the codec or the payload's constructor
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

    /** The states in which jobs wait. */
    static final List<JobState> WAITING =
            Stream.of(JobState.values()).filter(JobState::isWaiting).toList();

    private List<Job> all(JobFilter which) {
        return waiting(queue, which);
    }

    /** {@return the waiting jobs, oldest first} */
    static List<Job> waiting(JobQueue queue, JobFilter which) {
        return queue.admin().jobs().list(which.states(Choice.of(WAITING)).limit(MAX)).stream()
                .sorted((a, b) -> Long.compare(a.id(), b.id()))
                .toList();
    }
}
