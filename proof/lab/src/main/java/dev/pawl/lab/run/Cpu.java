package dev.pawl.lab.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CPU time used so far, in seconds.
 *
 * @param client by this process
 * @param children by the servers and by all processes that the lab has started; null if unknown
 * @param machine by all processes; null if unknown
 * @param nanos when, by System.nanoTime
 */
public record Cpu(
        double client, @Nullable Double children, @Nullable Double machine, long nanos) {
    private static final double TICKS_PER_SECOND = 100; // USER_HZ, the same in /proc on every Linux
    private static final int FIRST_TIME = 13; // utime, stime, cutime and cstime follow each other in /proc/PID/stat
    private static final int TIMES = 4;
    private static final long JUDGED_AFTER = 500_000_000;

    /** {@return the CPU time used so far} */
    public static Cpu now() {
        return now(List.of());
    }

    /** {@return the CPU time used so far; that of the children includes these processes and their descendants} */
    static Cpu now(List<ProcessHandle> servers) {
        double client = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime() / 1e9
                : 0;
        return new Cpu(client, ofChildren(servers), ofMachine(), System.nanoTime());
    }

    private static @Nullable Double ofChildren(List<ProcessHandle> servers) {
        if (!Files.isReadable(Path.of("/proc/self/stat"))) {
            return null;
        }
        return Stream.concat(
                        ProcessHandle.current().descendants(),
                        servers.stream().flatMap(server -> Stream.concat(Stream.of(server), server.descendants())))
                .distinct()
                .mapToDouble(Cpu::ofProcess)
                .sum();
    }

    /** Includes the ended children of the process, because each session of a server may be a process that has ended. */
    private static double ofProcess(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
            int first = FIRST_TIME - 2; // the number and the name of the process are cut off
            return fields.subList(first, first + TIMES).stream()
                            .mapToLong(Long::parseLong)
                            .sum()
                    / TICKS_PER_SECOND;
        } catch (IOException ended) {
            return 0;
        }
    }

    private static @Nullable Double ofMachine() {
        try {
            List<String> fields = List.of(
                    Files.readAllLines(Path.of("/proc/stat")).get(0).trim().split("\\s+"));
            // user, nice, system, irq, softirq, steal: everything except idle and I/O wait
            double ticks = 0;
            for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
                ticks += Double.parseDouble(fields.get(i));
            }
            return ticks / TICKS_PER_SECOND;
        } catch (IOException notLinux) {
            return null;
        }
    }

    /** {@return the share of the machine's cores that other programs have used since then; null if unknown} */
    @Nullable
    Double othersSince(Cpu before) {
        if (machine == null || before.machine == null || children == null || before.children == null) {
            return null;
        }
        if (nanos - before.nanos < JUDGED_AFTER) {
            return null; // clocks tick every 10 ms
        }
        double others = machine - before.machine - (client - before.client) - (children - before.children);
        double possible = (nanos - before.nanos) / 1e9 * Runtime.getRuntime().availableProcessors();
        return Math.max(0, others / possible);
    }
}
