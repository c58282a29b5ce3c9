package dev.pawl.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.testkit.QueueTester;
import dev.pawl.testkit.TestQueue;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class PawlExtensionTest {
    private static final JobType<Integer> NUMBER = JobType.of("number", Integer.class);

    @Nested
    @PawlTest
    class InMemory {
        @BeforeEach
        void prepare(JobQueue queue) {
            queue.enqueue(NUMBER, 1);
        }

        /** Regardless of the previous test. */
        @RepeatedTest(2)
        void eachTestHasAQueueOfItsOwn(QueueTester tester, TestQueue test, DataSource dataSource, JobQueue queue)
                throws SQLException {
            assertThat(test.queue()).isSameAs(queue);
            assertThat(test.dataSource()).isSameAs(dataSource);
            assertThat(tester.enqueued(NUMBER).assertOne()).isEqualTo(1);
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                queue.within(connection).enqueue(NUMBER, 2);
                connection.rollback();
            }
            assertThat(tester.enqueued(NUMBER).assertOne()).isEqualTo(1);
        }
    }

    @Nested
    class OnAFile {
        @TempDir
        static Path folder;

        static final SQLiteDataSource FILE = new SQLiteDataSource();

        @RegisterExtension
        static final PawlExtension PAWL = PawlExtension.on(
                () -> {
                    FILE.setUrl("jdbc:sqlite:" + folder.resolve("test.db"));
                    return FILE;
                },
                builder -> builder.maxPayloadBytes(100));

        @RepeatedTest(2)
        void eachTestHasTablesOfItsOwn(JobQueue queue, QueueTester tester, DataSource dataSource) {
            assertThat(dataSource).isSameAs(FILE);
            tester.assertNothingEnqueued();
            queue.enqueue(NUMBER, 1);
        }

        @AfterAll
        static void nothingIsLeft() throws SQLException {
            try (Connection connection = FILE.getConnection();
                    var rows = connection.getMetaData().getTables(null, null, "pawl%", new String[] {"TABLE"})) {
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Nested
    class WithOptions {
        @RegisterExtension
        static final PawlExtension PAWL = PawlExtension.inMemory(builder -> builder.maxWaiting("default", 1));

        @Test
        void theyAreUsed(JobQueue queue, QueueTester tester) {
            queue.enqueue(NUMBER, 1);
            tester.enqueued(NUMBER).assertOne();
        }
    }
}
