package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A Spring Boot application on its own database. */
final class App implements AutoCloseable {
    /**
     * Excludes Hibernate, which does not support SQLite by itself, and jOOQ, which requires a single DataSource. The class names are those
     * of both Spring Boot versions, because Spring Boot ignores unknown names.
     */
    static final String WITHOUT_JPA = "spring.autoconfigure.exclude="
            + "org.springframework.boot.autoconfigure.jooq.JooqAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
            + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

    static final Duration LONG = Duration.ofSeconds(60);

    private final TestDatabase database;
    private final ConfigurableApplicationContext context;

    private App(TestDatabase database, ConfigurableApplicationContext context) {
        this.database = database;
        this.context = context;
    }

    /** On SQLite, with a table {@code work (n int)}. */
    static App start(Class<?> program, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add(WITHOUT_JPA);
        return start(TestServers.sqlite(), program, all.toArray(String[]::new));
    }

    static App start(TestServer server, Class<?> program, String... properties) {
        TestDatabase database = server.createDatabase();
        try {
            return new App(database, context(database.jdbcUrl(), program, properties));
        } catch (Throwable failed) {
            database.close();
            throw failed;
        }
    }

    static ConfigurableApplicationContext context(String url, Class<?> program, String... properties) {
        List<String> arguments = new ArrayList<>();
        List.of("spring.datasource.url=" + url, "spring.main.banner-mode=off", "spring.sql.init.mode=always")
                .forEach(each -> arguments.add("--" + each));
        List.of(properties).forEach(each -> arguments.add("--" + each));
        return new SpringApplicationBuilder(program)
                .web(WebApplicationType.NONE)
                .run(arguments.toArray(String[]::new));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    JobQueue queue() {
        return bean(JobQueue.class);
    }

    TransactionTemplate transaction() {
        return new TransactionTemplate(bean(PlatformTransactionManager.class));
    }

    JdbcTemplate table() {
        return bean(JdbcTemplate.class);
    }

    int rows() {
        return table().queryForList("SELECT n FROM work").size();
    }

    List<Job> jobs() {
        return queue().admin().jobs().list(JobFilter.ALL);
    }

    /** Waits until there are exactly {@code count} jobs, and all of them are in this state. */
    void awaitJobs(JobState state, int count) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> jobs().size() == count && jobs().stream().allMatch(job -> job.state() == state));
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }
}
