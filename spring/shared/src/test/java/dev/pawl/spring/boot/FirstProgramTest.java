package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.spring.JobHandler;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A dependency, the property of the DataSource, and one method. */
class FirstProgramTest {
    record Welcome(String address) {}

    static final JobType<Welcome> WELCOME = JobType.of("welcome.send", Welcome.class);

    static class Mails {
        final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

        @JobHandler("welcome.send")
        void send(Welcome welcome) {
            sent.add(welcome.address());
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(Mails.class)
    static class Program {}

    @Test
    void aJobIsEnqueuedAndRun() throws Exception {
        try (App app = App.start(Program.class)) {
            app.bean(JobQueue.class).enqueue(WELCOME, new Welcome("ada@example.com"));
            assertThat(app.bean(Mails.class).sent.poll(60, TimeUnit.SECONDS)).isEqualTo("ada@example.com");
            app.awaitJobs(JobState.COMPLETED, 1);
        }
    }

    @Test
    void anApplicationThatOnlyEnqueuesHasNoWorker() {
        try (App app = App.start(Program.class, "pawl.worker.enabled=false")) {
            app.queue().enqueue(WELCOME, new Welcome("ada@example.com"));
            assertThat(app.queue().admin().workers().list()).isEmpty();
            app.awaitJobs(JobState.AVAILABLE, 1);
        }
    }

    @Test
    void pawlCanBeSwitchedOff() {
        try (App app = App.start(Program.class, "pawl.enabled=false")) {
            assertThat(app.context().getBeansOfType(JobQueue.class)).isEmpty();
        }
    }
}
