package dev.pawl.conformance.chaos;

import static org.awaitility.Awaitility.await;

import dev.pawl.servers.Delay;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program without jobs. It opens a new connection for each transaction, so after a fault it reaches the node to which new connections of
 * a pool lead. It changes a row that programs on other nodes change, too. A node that is behind the others refuses such a change. While
 * this program cannot write, the cluster or the driver is the cause. If another program cannot write for a longer time than this program,
 * the cause is the other program.
 */
final class PlainProgram implements AutoCloseable {
    private static final int BYTES = 4_000;
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final long OUTAGE = TimeUnit.SECONDS.toNanos(1);

    private final String url;
    private final int first;
    private final Random random = new Random();
    private final Queue<Long> commits = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::write, "plain program");
    private final long begin;
    private volatile boolean stopped;

    /**
     * The time from the last commit before the outage to the first commit after it, or to the end of the observation, by {@link
     * System#nanoTime}.
     */
    record Outage(long from, long to) {}

    /**
     * @param url of a database with the tables chaos_row (number int PRIMARY KEY, filler text) and chaos_plain (id int, writes int), which
     *     has one row
     * @param first the number of its first row
     */
    PlainProgram(String url, int first) {
        this.url = url;
        this.first = first;
        this.begin = System.nanoTime();
        thread.start();
    }

    private void write() {
        try {
            for (int number = first; !stopped; number++) {
                try (Connection connection = DriverManager.getConnection(url);
                        PreparedStatement insert =
                                connection.prepareStatement("INSERT INTO chaos_row (number, filler) VALUES (?, ?)");
                        Statement update = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    insert.setInt(1, number);
                    insert.setString(2, filler());
                    insert.executeUpdate();
                    update.executeUpdate("UPDATE chaos_plain SET writes = writes + 1");
                    connection.commit();
                    commits.add(System.nanoTime());
                } catch (SQLException refused) {
                    // the next one may succeed
                }
                Delay.poll(100); // a cluster gives no signal
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Cannot be compressed, so that it needs space. */
    private String filler() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * {@return the times in which a program could not write; the last one may not have ended}
     *
     * @param commits in ascending order
     */
    static List<Outage> outages(long begin, Collection<Long> commits, long end) {
        List<Outage> found = new ArrayList<>();
        long before = begin;
        for (long next : Stream.concat(commits.stream().filter(commit -> commit < end), Stream.of(end))
                .toList()) {
            if (next - before > OUTAGE) {
                found.add(new Outage(before, next));
            }
            before = next;
        }
        return found;
    }

    /**
     * {@return the times in milliseconds, each of more than a second, in which this program could not write}
     *
     * @param end until when it was observed
     */
    List<Long> outageMillis(long end) {
        return outages(begin, commits, end).stream()
                .map(each -> millis(each.to - each.from))
                .toList();
    }

    /**
     * {@return the longest time in milliseconds in which another program committed nothing, minus the outages of this program in that time}
     *
     * @param others when the other program committed, by {@link System#nanoTime}, in ascending order
     * @param end until when it was observed
     */
    long longestLag(long[] others, long end) {
        List<Outage> outages = outages(begin, commits, end);
        long longest = 0;
        long before = begin;
        for (int i = 0; i <= others.length; i++) {
            long next = i < others.length ? others[i] : end;
            if (next >= begin) {
                longest = Math.max(longest, outside(outages, before, next));
                before = next;
            }
        }
        return millis(longest);
    }

    /** {@return how much of the time between {@code from} and {@code to} is in no outage} */
    static long outside(List<Outage> outages, long from, long to) {
        long outside = to - from;
        for (Outage outage : outages) {
            outside -= Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from));
        }
        return outside;
    }

    /** Waits until this program has committed after this time. As long as it cannot write, its outage excuses every other program. */
    void awaitCommit(long after) {
        await("a plain program commits")
                .atMost(SOON)
                .until(() -> commits.stream().anyMatch(commit -> commit > after));
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while rows were written", e);
        }
    }
}
