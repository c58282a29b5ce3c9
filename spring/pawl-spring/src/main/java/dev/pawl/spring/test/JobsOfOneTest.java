package dev.pawl.spring.test;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Erases after each test the jobs that were enqueued during it, so that no other test runs or counts them. Older jobs stay:
 * the database may be one in which somebody works.
 */
final class JobsOfOneTest extends AbstractTestExecutionListener {
    /** Before the listener of transactions, whose roll-back then comes before the erasure. */
    private static final int ORDER = 3_500;

    private static final String BEFORE = JobsOfOneTest.class.getName();
    private static final int PAGE = 500;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        Map<JobQueue, Long> newest = new HashMap<>();
        for (JobQueue queue : queues(test)) {
            newest.put(
                    queue,
                    queue.admin().jobs().list(JobFilter.ALL.limit(1)).stream()
                            .mapToLong(Job::id)
                            .findFirst()
                            .orElse(0));
        }
        test.setAttribute(BEFORE, newest);
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (test.removeAttribute(BEFORE) instanceof Map<?, ?> newest) {
            for (JobQueue queue : queues(test)) {
                if (newest.get(queue) instanceof Long last) {
                    eraseAfter(last, queue.admin().jobs());
                }
            }
        }
    }

    private static Iterable<JobQueue> queues(TestContext test) {
        return test.getApplicationContext().getBeansOfType(JobQueue.class).values();
    }

    private static void eraseAfter(long last, JobAdmin jobs) {
        JobFilter next = JobFilter.ALL.limit(PAGE);
        List<Job> page;
        do {
            page = jobs.list(next).stream().filter(job -> job.id() > last).toList();
            for (Job job : page) {
                jobs.changeAll(JobFilter.ALL.id(job.id()), new JobChange.Erase(), done -> {});
                next = next.before(job.id());
            }
        } while (!page.isEmpty());
    }
}
