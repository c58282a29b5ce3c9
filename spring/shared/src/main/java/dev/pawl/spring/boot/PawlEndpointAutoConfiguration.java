package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.spring.WorkerLifecycle;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Registers the actuator endpoint, if there is an actuator that exposes it. */
@AutoConfiguration(after = PawlAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean({JobQueue.class, WorkerLifecycle.class})
@ConditionalOnAvailableEndpoint(PawlEndpoint.class)
public class PawlEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    PawlEndpoint pawlEndpoint(JobQueue queue, WorkerLifecycle worker) {
        return new PawlEndpoint(queue, worker);
    }
}
