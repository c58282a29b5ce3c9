package dev.pawl.lab.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the memory of the lab's process. */
final class ClientMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long KIBI = 1024;

    private ClientMemory() {}

    /** {@return the memory after a garbage collection; this takes tens of milliseconds, so never call it during a measurement} */
    static Trial.Memory now() {
        System.gc();
        long heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
        return new Trial.Memory(heap, resident());
    }

    private static @Nullable Long resident() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .findFirst()
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBI)
                    .orElse(null);
        } catch (IOException notLinux) {
            return null;
        }
    }
}
