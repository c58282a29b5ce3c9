package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.DashboardBuilder;
import dev.pawl.dashboard.servlet.DashboardServlet;
import dev.pawl.spring.ConfigurationException;
import jakarta.servlet.Servlet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The dashboard as a servlet of the application, if enabled. Backs off if the application defines a {@code Dashboard} bean. */
@AutoConfiguration(after = PawlAutoConfiguration.class)
@ConditionalOnBean(JobQueue.class)
@ConditionalOnProperty("pawl.dashboard.enabled")
public class PawlDashboardAutoConfiguration {

    /** Used in an application with a servlet container. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({Servlet.class, ServletRegistrationBean.class, DashboardServlet.class})
    static class InServlet {
        /** From spring-web, a dependency of the application. */
        private static final String FORWARDED_HEADER_FILTER = "org.springframework.web.filter.ForwardedHeaderFilter";

        /** Built by {@link DashboardLifecycle}. */
        @Bean
        @Lazy
        @ConditionalOnMissingBean
        Dashboard pawlDashboard(JobQueue queue, PawlProperties properties) {
            DashboardProperties given = properties.dashboard();
            DashboardBuilder builder =
                    Dashboard.on(queue).readOnly(given.readOnly()).hosts(given.hosts().toArray(String[]::new));
            String secret = given.secret();
            if (secret != null) {
                secret(builder, secret);
            }
            return builder.build();
        }

        private static void secret(DashboardBuilder builder, String secret) {
            try {
                builder.secret(secret);
            } catch (IllegalArgumentException e) { // a report must not show the value
                throw ConfigurationException.of(new IllegalArgumentException("pawl.dashboard.secret: " + e.getMessage()));
            }
        }

        @Bean
        DashboardLifecycle pawlDashboardLifecycle(ObjectProvider<Dashboard> dashboard, PawlProperties properties) {
            return new DashboardLifecycle(dashboard::getObject, new DashboardViewers(properties.dashboard()));
        }

        @Bean
        @ConditionalOnMissingBean(name = "pawlDashboardServlet")
        ServletRegistrationBean<LateServlet> pawlDashboardServlet(
                DashboardLifecycle dashboard,
                PawlProperties properties,
                Environment environment,
                ListableBeanFactory beans) {
            if (properties.dashboard().onThisMachine() != DashboardProperties.OnThisMachine.NOTHING) {
                requireOwnAddresses(environment, beans);
            }
            String path = properties.dashboard().path();
            if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
                throw new InvalidConfigurationPropertyValueException(
                        "pawl.dashboard.path",
                        path,
                        "use a path of its own that starts with '/' and does not end with it, such as /pawl");
            }
            ServletRegistrationBean<LateServlet> servlet =
                    new ServletRegistrationBean<>(new LateServlet(dashboard::servlet), path + "/*");
            servlet.setName("pawlDashboard");
            return servlet;
        }

        /** Where headers determine the client's address and the host name, any client can claim to be on this machine. */
        private static void requireOwnAddresses(Environment environment, ListableBeanFactory beans) {
            String by = forwardedBy(environment, beans);
            if (by != null) {
                throw new ConfigurationException(
                        "pawl.dashboard.on-this-machine is set, but " + by
                                + ", so any caller can send headers that claim to come from this machine",
                        "remove pawl.dashboard.on-this-machine, or trust no such headers"
                                + " (server.forward-headers-strategy=none)");
            }
        }

        private static @Nullable String forwardedBy(Environment environment, ListableBeanFactory beans) {
            for (String valve : List.of("server.tomcat.remoteip.remote-ip-header", "server.tomcat.remoteip.protocol-header")) {
                if (!environment.getProperty(valve, "").isBlank()) {
                    return valve + " is, too";
                }
            }
            String strategy = environment.getProperty("server.forward-headers-strategy", "");
            CloudPlatform cloud = strategy.isBlank() ? CloudPlatform.getActive(environment) : null;
            if (cloud != null && cloud.isUsingForwardHeaders()) {
                return "server.forward-headers-strategy is not, and native on the platform " + cloud;
            } else if (!strategy.isBlank() && !strategy.strip().equalsIgnoreCase("none")) {
                return "server.forward-headers-strategy is " + strategy;
            }
            ClassLoader loader = InServlet.class.getClassLoader();
            if (!ClassUtils.isPresent(FORWARDED_HEADER_FILTER, loader)) {
                return null;
            }
            Class<?> filter = ClassUtils.resolveClassName(FORWARDED_HEADER_FILTER, loader);
            ResolvableType registered = ResolvableType.forClassWithGenerics(FilterRegistrationBean.class, filter);
            return beans.getBeanNamesForType(filter).length > 0
                            || beans.getBeanNamesForType(registered).length > 0
                    ? "there is a ForwardedHeaderFilter"
                    : null;
        }
    }

    /** The dashboard is enabled but not on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("dev.pawl.dashboard.servlet.DashboardServlet")
    static class Missing {
        @Bean
        InitializingBean pawlDashboardIsMissing() {
            return () -> {
                throw new ConfigurationException(
                        "pawl.dashboard.enabled is true, but the dashboard is not on the class path",
                        "add the dependency dev.pawl:pawl-dashboard, or remove the property");
            };
        }
    }

    /** Warns instead of failing, because processes without a web server often share the configuration of the web application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnNotWebApplication
    static class WithoutServer {
        @Bean
        InitializingBean pawlDashboardHasNoServer() {
            return () -> LoggerFactory.getLogger(PawlDashboardAutoConfiguration.class)
                    .warn("pawl.dashboard.enabled is true, but this application has no servlet container to serve it");
        }
    }
}
