package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.spring.WorkerLifecycle;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Registers the queue's health, if there is an actuator. */
@AutoConfiguration(after = PawlAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({JobQueue.class, WorkerLifecycle.class})
@ConditionalOnEnabledHealthIndicator("pawl")
public class PawlHealthAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "pawlHealthIndicator")
    PawlHealthIndicator pawlHealthIndicator(JobQueue queue, WorkerLifecycle worker) {
        return new PawlHealthIndicator(queue, worker);
    }
}
