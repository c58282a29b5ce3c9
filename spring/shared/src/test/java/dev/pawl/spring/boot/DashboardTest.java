package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.dashboard.Dashboard;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.WorkerLifecycle;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The dashboard enabled by property, over HTTP, with the application's own login. */
class DashboardTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Configuration
    @EnableAutoConfiguration
    static class WithLogin {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(
                            requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/jobs/**"))
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    user("ada", "ADMIN"), user("bob", "pawl-viewer"), user("cid", "SHOPPER"));
        }

        private static UserDetails user(String name, String role) {
            return User.withUsername(name).password("{noop}secret").roles(role).build();
        }
    }

    /** Admits all requests. */
    @Configuration
    @EnableAutoConfiguration
    static class WithoutLogin {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(
                            requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    private interface Steps {
        void take(ConfigurableApplicationContext context) throws Exception;
    }

    private static void with(Class<?> program, Steps steps, String... properties) throws Exception {
        try (TestDatabase database = TestServers.sqlite().createDatabase()) {
            List<String> all = new ArrayList<>(List.of(properties));
            all.add("server.port=0");
            all.add("spring.main.banner-mode=off");
            all.add("spring.datasource.url=" + database.jdbcUrl());
            all.add(App.WITHOUT_JPA);
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(program)
                    .web(WebApplicationType.SERVLET)
                    .run(all.stream().map(each -> "--" + each).toArray(String[]::new))) {
                steps.take(context);
            }
        }
    }

    private static HttpResponse<String> send(
            ConfigurableApplicationContext context, String user, String method, String path, String... headers)
            throws Exception {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (!user.isEmpty()) {
            byte[] login = (user + ":secret").getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theApplicationsLoginDeterminesRoles() throws Exception {
        with(
                WithLogin.class,
                context -> {
                    context.getBean(JobQueue.class).enqueue(JobType.of("greet.everybody", String.class), "Ada");
                    assertThat(send(context, "", "GET", "/jobs/").statusCode()).isEqualTo(401);
                    assertThat(send(context, "cid", "GET", "/jobs/").statusCode())
                            .isEqualTo(403);
                    assertThat(send(context, "bob", "GET", "/jobs/jobs").body()).contains("greet.everybody");
                    String pause = "/jobs/api/queues/pause?queue=default";
                    assertThat(send(context, "bob", "POST", pause, "Pawl-Request", "1").statusCode())
                            .isEqualTo(403);
                    // like a form of another site
                    assertThat(send(context, "ada", "POST", pause).statusCode()).isEqualTo(403);
                    assertThat(send(context, "ada", "POST", pause, "Pawl-Request", "1").statusCode())
                            .isEqualTo(200);
                    assertThat(send(context, "bob", "GET", "/jobs/api/queues").body())
                            .contains("\"paused\":true");
                },
                "pawl.dashboard.enabled=true",
                "pawl.dashboard.path=/jobs",
                "pawl.dashboard.operator-role=ADMIN");
    }

    @Test
    void anonymousUsersAreRefusedUnlessThisMachineIsAllowed() throws Exception {
        with(
                WithoutLogin.class,
                context -> assertThat(send(context, "", "GET", "/pawl/").statusCode()).isEqualTo(403),
                "pawl.dashboard.enabled=true");
        with(
                WithoutLogin.class,
                context -> {
                    assertThat(send(context, "", "GET", "/pawl/").statusCode()).isEqualTo(200);
                    assertThat(send(context, "", "GET", "/pawl/", "X-Forwarded-For", "203.0.113.7").statusCode())
                            .isEqualTo(403);
                    assertThat(send(context, "", "POST", "/pawl/api/queues/pause?queue=a", "Pawl-Request", "1")
                                    .statusCode())
                            .isEqualTo(403);
                },
                "pawl.dashboard.enabled=true",
                "pawl.dashboard.on-this-machine=look");
        with(
                WithoutLogin.class,
                context -> assertThat(send(context, "", "POST", "/pawl/api/queues/pause?queue=a", "Pawl-Request", "1")
                                .statusCode())
                        .isEqualTo(200),
                "pawl.dashboard.enabled=true",
                "pawl.dashboard.on-this-machine=operate");
    }

    /** If forwarded headers are trusted, they determine the client's address, and any client can send them. */
    @Test
    void localAccessIsRefusedWithForwardedHeaders() {
        for (String believes : List.of(
                "server.forward-headers-strategy=native",
                "server.forward-headers-strategy=framework",
                "spring.main.cloud-platform=kubernetes")) {
            assertThatThrownBy(() -> with(
                            WithoutLogin.class,
                            context -> {},
                            "pawl.dashboard.enabled=true",
                            "pawl.dashboard.on-this-machine=look",
                            believes))
                    .hasStackTraceContaining("pawl.dashboard.on-this-machine is set, but server.forward-headers-strategy is");
        }
    }

    @Test
    void theDashboardIsDisabledByDefault() throws Exception {
        with(WithoutLogin.class, context -> {
            assertThat(context.getBeansOfType(Dashboard.class)).isEmpty();
            assertThat(send(context, "", "GET", "/pawl/").statusCode()).isEqualTo(404);
        });
    }

    @Test
    void conflictingPathsFailTheStart() {
        assertThatThrownBy(() -> with(
                        WithoutLogin.class,
                        context -> {},
                        "pawl.dashboard.enabled=true",
                        "pawl.dashboard.path=/pawl/"))
                .hasStackTraceContaining("Property pawl.dashboard.path with value '/pawl/' is invalid");
    }

    /** Records which beans exist while the container initializes its servlets. */
    @Configuration
    @Import(WithoutLogin.class)
    static class Ordered {
        static final List<String> EXISTED = new ArrayList<>();

        @Bean
        ServletContextInitializer last(ConfigurableListableBeanFactory beans) {
            return container -> Stream.of("jobQueue", "dataSource", "pawlDashboard")
                    .filter(beans::containsSingleton)
                    .forEach(EXISTED::add);
        }
    }

    /** Otherwise a slow database would delay the container, and a missing database would look like a failure of the container. */
    @Test
    void theServletDoesNotNeedTheQueueBeforeItsTurn() throws Exception {
        Ordered.EXISTED.clear();
        with(
                Ordered.class,
                context -> {
                    assertThat(Ordered.EXISTED).isEmpty();
                    assertThat(send(context, "", "GET", "/pawl/").statusCode()).isEqualTo(200);
                },
                "pawl.dashboard.enabled=true",
                "pawl.dashboard.on-this-machine=look");
    }

    /** A stop has the reverse order. */
    @Test
    void theDashboardIsOpenedBeforeRequestsComeAndBeforeTheWorkerStarts() throws Exception {
        with(
                WithoutLogin.class,
                context -> {
                    int server = context.getBeansOfType(SmartLifecycle.class).values().stream()
                            .filter(each -> each.getClass().getSimpleName().equals("WebServerStartStopLifecycle"))
                            .findFirst()
                            .orElseThrow()
                            .getPhase();
                    DashboardLifecycle dashboard = context.getBean(DashboardLifecycle.class);
                    WorkerLifecycle worker = context.getBean(WorkerLifecycle.class);
                    assertThat(List.of(dashboard.getPhase(), server, worker.getPhase()))
                            .isSorted()
                            .doesNotHaveDuplicates();
                    dashboard.stop();
                    HttpResponse<String> closed = send(context, "", "GET", "/pawl/");
                    assertThat(closed.statusCode()).isEqualTo(503);
                    assertThat(closed.headers().firstValue("Retry-After")).hasValue("1");
                    dashboard.start();
                    assertThat(send(context, "", "GET", "/pawl/").statusCode()).isEqualTo(200);
                },
                "pawl.dashboard.enabled=true",
                "pawl.dashboard.on-this-machine=look");
    }

    /** A worker with the same configuration as the web application. */
    @Test
    void withoutAWebServerItIsOmitted() {
        try (App app = App.start(FirstProgramTest.Program.class, "pawl.dashboard.enabled=true")) {
            assertThat(app.context().getBeansOfType(Dashboard.class)).isEmpty();
        }
    }

    /** Hides the dashboard's classes, as if the dependency pawl-dashboard were missing. */
    @Test
    void withoutTheDashboardTheStartNamesTheDependency() {
        try (TestDatabase database = TestServers.sqlite().createDatabase()) {
            ClassLoader without = new org.springframework.boot.test.context.FilteredClassLoader("dev.pawl.dashboard");
            assertThatThrownBy(() -> start(without, database, "--pawl.dashboard.enabled=true"))
                    .hasStackTraceContaining("add the dependency dev.pawl:pawl-dashboard");
            start(without, database, "--pawl.dashboard.enabled=false").close();
        }
    }

    private static ConfigurableApplicationContext start(
            ClassLoader loader, TestDatabase database, String property) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            return new SpringApplicationBuilder(FirstProgramTest.Program.class)
                    .resourceLoader(new org.springframework.core.io.DefaultResourceLoader(loader))
                    .web(WebApplicationType.NONE)
                    .run("--spring.datasource.url=" + database.jdbcUrl(), "--" + App.WITHOUT_JPA, property);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
