package dev.pawl.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that begin at the same moment. */
final class ConcurrentThreads {
    private ConcurrentThreads() {}

    /** The work of one thread. */
    interface Member<T> {
        T work(int number) throws Exception;
    }

    /**
     * Runs the threads, and waits until all have ended.
     *
     * @return their results, in order
     */
    static <T> List<T> work(int members, Member<T> member) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(members);
        CountDownLatch ready = new CountDownLatch(members);
        try {
            List<Callable<T>> all = new ArrayList<>();
            for (int i = 0; i < members; i++) {
                int number = i;
                all.add(() -> {
                    ready.countDown();
                    ready.await();
                    return member.work(number);
                });
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> one : threads.invokeAll(all)) {
                answers.add(one.get());
            }
            return answers;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }
}
