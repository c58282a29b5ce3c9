package dev.pawl.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that run handlers: virtual ones where the JVM has them, else platform threads. */
final class RunnerThreads {
    private final List<Thread> threads = new ArrayList<>();

    /**
     * @param count how many
     * @param virtual where the JVM has them
     * @param runner what each runs
     */
    RunnerThreads(int count, boolean virtual, Runnable runner) {
        ThreadFactory factory = virtual ? virtualOrPlatform() : platform();
        for (int i = 0; i < count; i++) {
            threads.add(factory.newThread(runner));
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** {@return all of them} */
    List<Thread> all() {
        return threads;
    }

    private static ThreadFactory platform() {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, "pawl-runner-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** {@code Thread.ofVirtual().name("pawl-runner-", 1).factory()}, which a program compiled for 17 cannot name. */
    private static ThreadFactory virtualOrPlatform() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            Object virtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual))
                    .invoke();
            Object named = lookup.findVirtual(
                            ofVirtual, "name", MethodType.methodType(ofVirtual, String.class, long.class))
                    .invoke(virtual, "pawl-runner-", 1L);
            return (ThreadFactory) lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class))
                    .invoke(named);
        } catch (Throwable beforeJdk21) { // MethodHandle.invoke declares Throwable
            return platform();
        }
    }
}
