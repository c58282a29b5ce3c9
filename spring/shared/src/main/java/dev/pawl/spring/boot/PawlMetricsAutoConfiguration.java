package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.metrics.JobMetrics;
import dev.pawl.metrics.micrometer.MicrometerMeters;
import dev.pawl.metrics.otel.JobTraces;
import dev.pawl.spring.JobQueueCustomizer;
import dev.pawl.spring.WorkerCustomizer;
import dev.pawl.spring.WorkerLifecycle;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** If {@code pawl-metrics} is present: metrics if there is a {@code MeterRegistry}, and traces if there is an {@code OpenTelemetry}. */
@AutoConfiguration(
        before = PawlAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration"
        })
@ConditionalOnClass(JobMetrics.class)
@ConditionalOnProperty(name = "pawl.enabled", matchIfMissing = true)
public class PawlMetricsAutoConfiguration {
    private static final String SAMPLE_EVERY = "pawl.metrics.sample-every";

    /** Metrics in the application's registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnProperty(name = "pawl.metrics.enabled", matchIfMissing = true)
    static class Metrics {
        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean
        JobMetrics jobMetrics(MeterRegistry registry) {
            return new JobMetrics(new MicrometerMeters(registry));
        }

        @Bean
        JobQueueCustomizer pawlMeasuredQueue(JobMetrics metrics) {
            return metrics::measure;
        }

        @Bean
        WorkerCustomizer pawlMeasuredWorker(JobMetrics metrics) {
            return metrics::measure;
        }

        /**
         * Samples the queue from the end of the startup until the shutdown. {@code pawl.metrics.sample-every} is 30 s by default, and 0
         * disables the samples.
         */
        @Bean
        ApplicationListener<ApplicationContextEvent> pawlMetricsLife(
                ApplicationContext context,
                JobMetrics metrics,
                JobQueue queue,
                WorkerLifecycle worker,
                Environment environment) {
            Duration every = Binder.get(environment)
                    .bind(SAMPLE_EVERY, Duration.class)
                    .orElse(Duration.ofSeconds(30));
            worker.onStart(metrics::measure);
            return event -> {
                if (event.getApplicationContext() != context) {
                    return; // of a child context
                }
                if (event instanceof ContextRefreshedEvent) {
                    if (!every.isZero()) {
                        sample(metrics, queue, every);
                    }
                } else if (event instanceof ContextClosedEvent) {
                    metrics.close(); // before the pool is closed
                }
            };
        }
    }

    private static void sample(JobMetrics metrics, JobQueue queue, Duration every) {
        try {
            metrics.sample(queue, every);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(SAMPLE_EVERY, every, e.getMessage());
        }
    }

    /** Traces with the application's OpenTelemetry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(OpenTelemetry.class)
    @ConditionalOnBean(OpenTelemetry.class)
    @ConditionalOnProperty(name = "pawl.traces.enabled", matchIfMissing = true)
    static class Traces {
        @Bean
        @ConditionalOnMissingBean
        JobTraces jobTraces(OpenTelemetry openTelemetry) {
            return new JobTraces(openTelemetry);
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        JobQueueCustomizer pawlTracedQueue(JobTraces traces) {
            return traces::trace;
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WorkerCustomizer pawlTracedWorker(JobTraces traces) {
            return traces::trace;
        }
    }
}
