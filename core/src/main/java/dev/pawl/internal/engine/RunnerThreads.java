package dev.pawl.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that run handlers: virtual ones where the JVM has them, else platform threads. */
final class RunnerThreads {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerThreads.class);

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final ThreadFactory factory;
    private volatile int most;

    /**
     * @param count number of threads
     * @param virtual whether to use virtual threads
     * @param runner what each runs
     */
    RunnerThreads(int count, boolean virtual, Runnable runner) {
        factory = virtual ? virtualOrPlatform() : platform();
        most = 2 * count;
        for (int i = 0; i < count; i++) {
            threads.add(factory.newThread(runner));
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /**
     * Starts a thread in place of one whose handler does not end.
     *
     * @param runner what it runs
     * @return false if there are already twice as many threads as configured
     */
    boolean replace(Runnable runner) {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        if (threads.size() >= most) {
            return false;
        }
        Thread thread = factory.newThread(runner);
        threads.add(thread);
        thread.start();
        return true;
    }

    /**
     * @param count the new number of threads
     */
    void most(int count) {
        most = 2 * count;
    }

    /**
     * Starts more threads, as far as the system provides them.
     *
     * @param missing how many
     * @param runner what each runs
     * @return how many have started
     */
    synchronized int more(int missing, Runnable runner) {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        int started = 0;
        try {
            for (; started < missing; started++) {
                Thread thread = factory.newThread(runner);
                thread.start();
                threads.add(thread);
            }
        } catch (OutOfMemoryError noMore) { // Java's way of reporting that the system has no more threads
            LOG.warn("only {} of {} threads could be started: {}", started, missing, ErrorText.firstLine(noMore));
        }
        return started;
    }

    /** {@return all threads} */
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
