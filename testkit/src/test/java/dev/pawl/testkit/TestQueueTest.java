package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobType;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class TestQueueTest {
    private static final JobType<Integer> NUMBER = JobType.of("number", Integer.class);

    @Test
    void memoryQueuesSupportManyConnectionsAndVanishOnClose() throws SQLException {
        TestQueue test = TestQueue.inMemory();
        try (test;
                Connection reading = test.dataSource().getConnection()) {
            execute(test.dataSource(), "CREATE TABLE seen (n integer)");
            for (int n = 0; n < 300; n++) {
                test.queue().enqueue(NUMBER, n);
            }
            Set<Integer> ran = ConcurrentHashMap.newKeySet();
            test.tester()
                    .drainNow(Worker.on(test.queue())
                            .handle(
                                    NUMBER,
                                    (n, run) -> run.transaction(connection -> {
                                        try (var insert = connection.prepareStatement("INSERT INTO seen VALUES (?)")) {
                                            insert.setInt(1, n);
                                            ran.add(insert.executeUpdate() * n);
                                        }
                                    })));
            assertThat(ran).hasSize(300);
            assertThat(count(reading, "seen")).isEqualTo(300);
        }
        try (Connection later = test.dataSource().getConnection()) {
            assertThat(count(later, "sqlite_master")).isZero();
        }
    }

    @Test
    void memoryQueuesAreIndependent() {
        try (TestQueue one = TestQueue.inMemory();
                TestQueue two = TestQueue.inMemory(builder -> builder.maxPayloadBytes(10))) {
            one.queue().enqueue(NUMBER, 1);
            two.tester().assertNothingEnqueued();
            assertThatThrownBy(() -> two.queue().enqueue(JobType.of("text", String.class), "longer than that"))
                    .hasMessageContaining("10");
        }
    }

    @Test
    void testsLeaveAndTouchNothingOnYourDatabase(@TempDir Path folder) throws SQLException {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + folder.resolve("yours.db"));
        try (JobQueue yours = JobQueue.open(file)) {
            yours.enqueue(NUMBER, 1);
            int tables = tables(file);
            try (TestQueue one = TestQueue.on(file);
                    TestQueue two = TestQueue.on(file)) {
                one.queue().enqueue(NUMBER, 2);
                two.tester().assertNothingEnqueued();
                one.tester().enqueued(NUMBER).assertOne();
                assertThat(tables(file)).isEqualTo(3 * tables - 2); // SQLite's own two are not recreated
            }
            assertThat(tables(file)).isEqualTo(tables);
            assertThat(QueueTester.of(yours).enqueued(NUMBER).assertOne()).isEqualTo(1);
        }
    }

    @Test
    void refusalsOfTheDatabaseAreReported(@TempDir Path folder) {
        SQLiteDataSource nowhere = new SQLiteDataSource();
        nowhere.setUrl("jdbc:sqlite:" + folder.resolve("no/such/folder/file.db"));
        assertThatThrownBy(() -> TestQueue.on(nowhere)).isInstanceOf(DatabaseException.class);
    }

    /** The test kit and the library without optional dependencies. */
    @Test
    void withoutTheDriverTheMessageNamesTheDependency() throws IOException, ReflectiveOperationException {
        URL[] kit = List.of(TestQueue.class, JobQueue.class).stream()
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
        ClassLoader others = new ClassLoader(ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.startsWith("org.slf4j.") || name.startsWith("org.jspecify.")) {
                    return TestQueueTest.class.getClassLoader().loadClass(name);
                }
                throw new ClassNotFoundException(name);
            }
        };
        try (URLClassLoader alone = new URLClassLoader(kit, others)) {
            var inMemory = alone.loadClass(TestQueue.class.getName()).getMethod("inMemory");
            assertThatThrownBy(() -> inMemory.invoke(null))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "<artifactId>sqlite-jdbc</artifactId>", "testRuntimeOnly(\"org.xerial:sqlite-jdbc:");
        }
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int tables(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return count(connection, "sqlite_master WHERE type = 'table'");
        }
    }

    private static int count(Connection connection, String from) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + from)) {
            row.next();
            return row.getInt(1);
        }
    }
}
