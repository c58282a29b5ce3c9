package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.spring.JobHandler;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.annotation.Transactional;

/** jOOQ's writes in a Spring transaction commit together with the jobs that it enqueues, and with the completion of the running job. */
class JooqTest {
    static final JobType<String> WRITE = JobType.of("write", String.class);

    static class Orders {
        private final DSLContext jooq;
        private final JobQueue queue;

        Orders(DSLContext jooq, JobQueue queue) {
            this.jooq = jooq;
            this.queue = queue;
        }

        @Transactional
        public void place(boolean paid) {
            jooq.execute("INSERT INTO work VALUES (1)");
            queue.enqueue(WRITE, "once");
            if (!paid) {
                throw new IllegalStateException("not paid");
            }
        }
    }

    static class Writer {
        private final DSLContext jooq;

        Writer(DSLContext jooq) {
            this.jooq = jooq;
        }

        @JobHandler(value = "write", transactional = true)
        void write(String text, JobRun run) {
            jooq.execute("INSERT INTO work VALUES (2)");
            if (run.attempt() == 1) {
                throw new IllegalStateException(text);
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import({Orders.class, Writer.class})
    static class Program {
        /** As Spring Boot creates it when it configures jOOQ. */
        @Bean
        DSLContext jooq(DataSource dataSource) {
            return DSL.using(new TransactionAwareDataSourceProxy(dataSource), SQLDialect.SQLITE);
        }
    }

    @Test
    void writesAndJobsCommitTogether() {
        try (App app = App.start(Program.class, "pawl.worker.retry.first=10ms")) {
            assertThatThrownBy(() -> app.bean(Orders.class).place(false)).hasMessage("not paid");
            assertThat(app.jobs()).isEmpty();
            app.bean(Orders.class).place(true);
            app.awaitJobs(JobState.COMPLETED, 1);
            assertThat(app.rows()).as("one of the order, one of the attempt that did not fail").isEqualTo(2);
        }
    }
}
