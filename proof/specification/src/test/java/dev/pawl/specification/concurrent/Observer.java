package dev.pawl.specification.concurrent;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.specification.concurrent.History.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lists all jobs repeatedly, and records their states. */
final class Observer implements Runnable {
    private static final int PAGE = 500;

    private final JobQueue queue;
    private final History history;
    private final CountDownLatch end = new CountDownLatch(1);

    Observer(JobQueue queue, History history) {
        this.queue = queue;
        this.history = history;
    }

    @Override
    public void run() {
        boolean goesOn = true;
        while (goesOn) {
            long from = System.nanoTime();
            List<Job> jobs = list(queue);
            Span span = Span.since(from);
            jobs.forEach(job -> history.seen.add(new Seen(span, job)));
            goesOn = !isEnd();
        }
    }

    private boolean isEnd() {
        try {
            return end.await(20, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    void end() {
        end.countDown();
    }

    /** {@return all jobs, page by page, so not a consistent snapshot} */
    static List<Job> list(JobQueue queue) {
        List<Job> all = new ArrayList<>();
        JobFilter filter = JobFilter.ALL.limit(PAGE);
        List<Job> page = queue.admin().jobs().list(filter);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = queue.admin()
                    .jobs()
                    .list(filter.before(all.get(all.size() - 1).id()));
        }
        return all;
    }
}
