package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.sqlite.SQLiteDataSource;

/** What Spring Boot reports when an application with a job queue does not start. */
class FailureReportsTest {
    private static final String URL = "spring.datasource.url=";

    @Configuration
    @EnableAutoConfiguration
    static class Plain {}

    private static String report(Class<?> program, WebApplicationType web, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add(App.WITHOUT_JPA);
        List<String> unused = Reports.taken();
        Throwable failure = catchThrowable(() -> new SpringApplicationBuilder(program)
                .web(web)
                .run(all.stream().map(each -> "--" + each).toArray(String[]::new))
                .close());
        assertThat(failure).isNotNull();
        List<String> reports = Reports.taken();
        assertThat(reports).as("%s", failure).hasSize(1);
        return reports.get(0);
    }

    private static String report(Class<?> program, String... properties) {
        return report(program, WebApplicationType.NONE, properties);
    }

    /** With a database. */
    private static String onSqlite(Class<?> program, String... properties) {
        try (TestDatabase database = TestServers.sqlite().createDatabase()) {
            List<String> all = new ArrayList<>(List.of(properties));
            all.add(URL + database.jdbcUrl());
            return report(program, all.toArray(String[]::new));
        }
    }

    @Test
    void withoutAUrlTheReportNamesThePropertyAndRecommendsNoEmbeddedDatabase() {
        assertThat(report(Plain.class))
                .startsWith("Description: The job queue needs a database, and spring.datasource.url is not set. Action: Set"
                        + " spring.datasource.url to a database of PostgreSQL")
                .contains("jdbc:sqlite:app.db", "(active: none)", "pawl.enabled=false");
        assertThat(report(Plain.class, "spring.profiles.active=blue")).contains("(active: blue)");
    }

    @Test
    void withoutPawlTheReportIsSpringBoots() {
        assertThat(report(Plain.class, "pawl.enabled=false", "spring.sql.init.mode=always", URL))
                .doesNotContain("job queue");
    }

    @Test
    void withoutADataSourceTheReportNamesTheProperty() {
        assertThat(report(
                        Plain.class,
                        App.WITHOUT_JPA
                                + ",org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
                                + ",org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"))
                .isEqualTo("Description: There is no DataSource for the job queue. Action: Set spring.datasource.url,"
                        + " declare a DataSource, or switch Pawl off with pawl.enabled=false.");
    }

    @Configuration
    @EnableAutoConfiguration
    static class TwoPools {
        @Bean
        DataSource shop() {
            return new SQLiteDataSource();
        }

        @Bean
        DataSource jobs() {
            return new SQLiteDataSource();
        }
    }

    @Test
    void ofSeveralDataSourcesTheReportNamesEach() {
        assertThat(report(TwoPools.class))
                .isEqualTo("Description: It is not clear which DataSource has the job queue (shop, jobs). Action: Set"
                        + " pawl.datasource to the name of one, or put @PawlDataSource on its @Bean method.");
        assertThat(report(TwoPools.class, "pawl.datasource=job"))
                .isEqualTo("Description: pawl.datasource is 'job', and no DataSource bean has that name. Action: Set it to"
                        + " one of shop, jobs, or remove it.");
    }

    @Test
    void withoutTablesTheReportHasTheWaysToCreateThem() {
        assertThat(onSqlite(Plain.class, "pawl.migrate=false"))
                .startsWith("Description: The tables pawl_* are at version 0, this program needs version")
                .contains(
                        ", and pawl.migrate is false. Action: ",
                        "set pawl.migrate=true (the default): the application does it when it starts",
                        "pawl migrate --print sqlite > src/main/resources/db/migration/V42__pawl_1.sql");
        assertThat(onSqlite(Plain.class, "pawl.migrate=false", "pawl.table-prefix=shop_"))
                .contains("The tables shop_*", "pawl migrate --table-prefix shop_ --print sqlite >");
    }

    @Configuration
    @EnableAutoConfiguration
    static class OnOracle {
        @Bean
        DataSource oracle() {
            SQLiteDataSource sqlite = new SQLiteDataSource();
            sqlite.setUrl("jdbc:sqlite::memory:");
            return replaced(
                    DataSource.class,
                    sqlite,
                    "getConnection",
                    connection -> replaced(
                            Connection.class,
                            (Connection) connection,
                            "getMetaData",
                            meta -> replaced(
                                    DatabaseMetaData.class,
                                    (DatabaseMetaData) meta,
                                    "getDatabaseProductName",
                                    name -> "Oracle")));
        }

        private static <T> T replaced(Class<T> type, T target, String method, java.util.function.UnaryOperator<Object> by) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                        try {
                            Object result = called.invoke(target, arguments);
                            return called.getName().equals(method) ? by.apply(result) : result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }
    }

    @Test
    void ofAnotherDatabaseTheReportNamesThoseThatAreSupported() {
        assertThat(report(OnOracle.class))
                .startsWith("Description: The database Oracle ")
                .contains(
                        " is not supported: use PostgreSQL, MySQL, MariaDB or SQLite. Action: Set spring.datasource.url to a"
                                + " supported database.",
                        "@PawlDataSource");
    }

    @Test
    void aDatabaseThatCannotBeReachedIsReportedWithoutThePassword() {
        assertThat(report(
                        Plain.class,
                        URL + "jdbc:postgresql://localhost:1/shop",
                        "spring.datasource.username=ada",
                        "spring.datasource.password=s3cr3t"))
                .startsWith("Description: Cannot open the job queue (jdbc:postgresql://localhost:1/shop): ")
                .contains("Action: Check that the server runs, and spring.datasource.url")
                .doesNotContain("s3cr3t");
    }

    @Test
    void valuesThatCannotBeReadAreReportedWithTheirProperty() {
        assertThat(onSqlite(Plain.class, "pawl.worker.lease=soon"))
                .contains("Property: pawl.worker.lease", "Value: \"soon\"");
        assertThat(onSqlite(Plain.class, "pawl.other-transactions=perhaps"))
                .contains("Property: pawl.other-transactions", "Value: \"perhaps\"", "REFUSE");
    }

    @Test
    void valuesOutOfTheirRangeAreReportedWithTheirProperty() {
        for (String property : List.of(
                "pawl.table-prefix=A-",
                "pawl.max-payload=17MB",
                "pawl.max-waiting.mail=0",
                "pawl.retention.completed=-1s",
                "pawl.retention.cancelled=-1s",
                "pawl.retention.discarded=0s",
                "pawl.schema=a`b",
                "pawl.worker.concurrency=0",
                "pawl.worker.max-concurrency=20000",
                "pawl.worker.shutdown-timeout=2d",
                "pawl.worker.lease=1ms",
                "pawl.worker.poll-interval=0s",
                "pawl.worker.max-result=0B",
                "pawl.worker.strategy=guess",
                "pawl.worker.retry.first=0s",
                "pawl.worker.name= ",
                "pawl.worker.batch=0",
                "pawl.worker.buffer=-1",
                "pawl.worker.buffer-size=1B",
                "pawl.worker.max-heap-use=2")) {
            String name = property.substring(0, property.indexOf('='));
            String value = property.substring(property.indexOf('=') + 1);
            assertThat(onSqlite(FirstProgramTest.Program.class, property))
                    .as(property)
                    .contains("'" + value + "' for configuration property '" + name + "' (originating from")
                    .contains("Action: ");
        }
    }

    @Test
    void otherPropertiesAreNamedInTheReport() {
        assertThat(onSqlite(
                        FirstProgramTest.Program.class, "pawl.worker.queues=a", "pawl.worker.queues-like=b*"))
                .isEqualTo("Description: pawl.worker.queues, pawl.worker.queues-like and pawl.worker.weights are"
                        + " alternatives. Action: Set one of them.");
        assertThat(onSqlite(FirstProgramTest.Program.class, "pawl.worker.suspend-when-idle=true"))
                .startsWith("Description: pawl.worker.suspend-when-idle is true, and on this database")
                .contains("Action: Set pawl.worker.max-suspend to");
        assertThat(onSqlite(FirstProgramTest.Program.class, "pawl.worker.queues=a b"))
                .startsWith("Description: pawl.worker.queues is not valid. Action: ")
                .contains("'a b'");
        assertThat(onSqlite(FirstProgramTest.Program.class, "pawl.worker.retry.first=2h"))
                .contains("pawl.worker.retry.first (PT2H) is longer than pawl.worker.retry.longest (PT1H). Action: Make");
    }

    @Configuration
    @EnableAutoConfiguration
    static class Returns {
        @JobHandler("mail.send")
        int send(String address) {
            return 1;
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class Twice {
        @JobHandler("mail.send")
        void send(String address) {}

        @JobHandler("mail.send")
        void sendAgain(String address) {}
    }

    @Configuration
    @EnableAutoConfiguration
    static class Differs {
        static final JobType<Integer> MAIL = JobType.of("mail.send", Integer.class);

        @JobHandler("mail.send")
        void send(String address) {}
    }

    @Configuration
    @EnableAutoConfiguration
    static class Heavy {
        @JobHandler(value = "mail.send", weight = 11)
        void send(String address) {}
    }

    @Test
    void handlersThatCannotBeCalledAreReported() {
        String bean = FailureReportsTest.class.getName() + "$%s.%s (bean 'failureReportsTest.%s')";
        assertThat(onSqlite(Returns.class))
                .isEqualTo("Description: " + bean.formatted("Returns", "send", "Returns")
                        + " cannot handle jobs: it returns int. Action: A handler returns nothing, which completes the job, or"
                        + " an Outcome.");
        assertThat(onSqlite(Twice.class))
                .startsWith("Description: Kind 'mail.send' has two handlers: ")
                .contains(
                        bean.formatted("Twice", "send", "Twice"),
                        bean.formatted("Twice", "sendAgain", "Twice"),
                        ". Action: Give one of them another kind, or remove it.");
        assertThat(onSqlite(Differs.class))
                .isEqualTo("Description: Kind 'mail.send': " + bean.formatted("Differs", "send", "Differs")
                        + " declares payload=java.lang.String, but " + Differs.class.getName()
                        + ".MAIL declares payload=java.lang.Integer. Action: Make them the same.");
        assertThat(onSqlite(Heavy.class))
                .isEqualTo("Description: A job of kind 'mail.send' takes 11 places, and the worker has 10, so it would never"
                        + " run. Action: Lower the weight or raise the concurrency.");
    }

    @Test
    void theDashboardsPropertiesAreReported() {
        assertThat(onWeb("pawl.dashboard.path=/pawl/"))
                .contains("Invalid value '/pawl/' for configuration property 'pawl.dashboard.path'");
        assertThat(onWeb("pawl.dashboard.on-this-machine=look", "server.forward-headers-strategy=native"))
                .startsWith("Description: pawl.dashboard.on-this-machine is set, but server.forward-headers-strategy is native")
                .contains("Action: Remove pawl.dashboard.on-this-machine");
        assertThat(onWeb("pawl.dashboard.secret=sh0rt"))
                .startsWith("Description: pawl.dashboard.secret: the secret is not valid. Action: Use at least 16")
                .doesNotContain("sh0rt");
    }

    /** The dashboard has the port of the application. */
    @Test
    void aPortInUseIsReported() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            assertThat(onWeb("server.port=" + other.getLocalPort()))
                    .contains("Port " + other.getLocalPort() + " was already in use");
        }
    }

    private static String onWeb(String... properties) {
        try (TestDatabase database = TestServers.sqlite().createDatabase()) {
            List<String> all = new ArrayList<>(List.of(properties));
            all.add("pawl.dashboard.enabled=true");
            if (all.stream().noneMatch(each -> each.startsWith("server.port="))) {
                all.add("server.port=0");
            }
            all.add(URL + database.jdbcUrl());
            return report(Plain.class, WebApplicationType.SERVLET, all.toArray(String[]::new));
        }
    }
}
