package dev.pawl.lab.run;

import dev.pawl.lab.contender.Contender;
import dev.pawl.lab.contender.Protocol;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The handler of a trial: records in memory which job was executed when. Thread-safe; cheap enough not to affect the
 * measurement. Jobs of the backlog behind the measured ones are run but not recorded.
 */
final class Executions implements Contender.Handler {
    private static final int MORE = 4;

    private final int handlerMillis;
    private final @Nullable Protocol protocol;
    private final Contender.RemoteRecording remoteRecording;
    private final AtomicIntegerArray order;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLongArray started;
    private final AtomicLongArray ended;
    private final CountDownLatch allStarted;
    private final CountDownLatch allDone;

    /**
     * @param protocol that each execution is written to; null for none
     * @param remoteRecording what worker processes record
     */
    Executions(int jobs, int handlerMillis, @Nullable Protocol protocol, Contender.RemoteRecording remoteRecording) {
        this.remoteRecording = remoteRecording;
        this.handlerMillis = handlerMillis;
        this.protocol = protocol;
        this.order = new AtomicIntegerArray(MORE * jobs);
        this.started = new AtomicLongArray(jobs);
        this.ended = new AtomicLongArray(jobs);
        this.allStarted = new CountDownLatch(jobs);
        this.allDone = new CountDownLatch(jobs);
    }

    @Override
    public void run(int job) throws Exception {
        if (job < started.length()) {
            note(job);
        }
        if (handlerMillis > 0) {
            TimeUnit.MILLISECONDS.sleep(handlerMillis);
        }
    }

    private void note(int job) throws SQLException {
        long now = System.nanoTime();
        int place = next.getAndIncrement();
        if (place < order.length()) {
            order.set(place, job);
        }
        if (started.compareAndSet(job, 0, now)) {
            allStarted.countDown();
        }
        if (protocol != null) {
            protocol.write(job);
        }
    }

    @Override
    public void done(int job) {
        if (job < ended.length() && ended.compareAndSet(job, 0, System.nanoTime())) {
            allDone.countDown();
        }
    }

    @Override
    public Contender.RemoteRecording remoteRecording() {
        return remoteRecording;
    }

    @Override
    public void ran(int job, long startedNanos, long doneNanos) {
        if (started.compareAndSet(job, 0, startedNanos)) {
            allStarted.countDown();
        }
        if (ended.compareAndSet(job, 0, doneNanos)) {
            allDone.countDown();
        }
    }

    boolean awaitStarted(Duration timeout) throws InterruptedException {
        return allStarted.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    boolean awaitDone(Duration timeout) throws InterruptedException {
        return allDone.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    long left() {
        return allStarted.getCount();
    }

    /** {@return when the first execution began, by System.nanoTime} */
    long firstNanos() {
        return started.get(order.get(0));
    }

    /** {@return when this many jobs had begun, by System.nanoTime} */
    long nanosOf(int begun) {
        return sortedStarts()[begun - 1];
    }

    private long[] sortedStarts() {
        return LongStream.range(0, started.length())
                .map(job -> started.get((int) job))
                .sorted()
                .toArray();
    }

    /**
     * {@return the longest time between two starts of jobs, or from the last start to {@code endNanos}, in nanoseconds; repeated starts do
     * not count}
     */
    long longestPauseNanos(long endNanos) {
        long[] starts = sortedStarts();
        long longest = 0;
        for (int i = 0; i < starts.length; i++) {
            longest = Math.max(longest, (i + 1 < starts.length ? starts[i + 1] : endNanos) - starts[i]);
        }
        return longest;
    }

    long startedNanos(int job) {
        return started.get(job);
    }

    long doneNanos(int job) {
        return ended.get(job);
    }

    /** {@return the jobs in the order of their executions; the list has at most four times as many entries as there are jobs} */
    List<Long> order() {
        int size = Math.min(next.get(), order.length());
        List<Long> jobs = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            jobs.add((long) order.get(i));
        }
        return jobs;
    }
}
