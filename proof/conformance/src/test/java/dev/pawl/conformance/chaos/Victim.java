package dev.pawl.conformance.chaos;

import dev.pawl.servers.Delay;
import dev.pawl.servers.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process, its handlers' log, and a time when it was certainly dead. */
final class Victim {
    /** Covers the time between the permit and the handler's first line, and the skew between processors. */
    static final long SLACK = TimeUnit.MILLISECONDS.toNanos(150);

    final JavaProcess process;
    final Path log;
    long deadNanos = Long.MAX_VALUE;
    private final List<long[]> halts = new ArrayList<>();

    Victim(JavaProcess process, Path log) {
        this.process = process;
        this.log = log;
    }

    void kill() {
        process.close();
        deadNanos = System.nanoTime();
    }

    /** Halts the process. It still owns its runs afterwards if the halt is shorter than a lease. */
    void halt(int millis) throws InterruptedException {
        long from = System.nanoTime();
        process.pause();
        Delay.quiet(millis); // the length of the halt is the point
        process.resume();
        halts.add(new long[] {from, System.nanoTime() + SLACK});
    }

    boolean wasHalted(long nanos) {
        return halts.stream().anyMatch(halt -> nanos >= halt[0] && nanos <= halt[1]);
    }

    /** {@return when the process was first halted in that interval; the interval's end if it was not} */
    long haltedBetween(long from, long to) {
        return halts.stream()
                .mapToLong(halt -> halt[0])
                .filter(halt -> halt >= from && halt < to)
                .min()
                .orElse(to);
    }

    /** The lines of its log, split into words. The last line may be truncated. */
    List<String[]> lines() throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        return Files.readAllLines(log).stream()
                .map(line -> line.split(" "))
                .filter(line -> line.length >= 3)
                .toList();
    }
}
