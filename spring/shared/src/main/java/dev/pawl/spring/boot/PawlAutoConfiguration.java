package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.RunInterceptor;
import dev.pawl.spring.JobHandlers;
import dev.pawl.spring.JobQueueCustomizer;
import dev.pawl.spring.PawlDataSource;
import dev.pawl.spring.QueueDataSource;
import dev.pawl.spring.QueueTransactionManager;
import dev.pawl.spring.SpringTransactions;
import dev.pawl.spring.TransactionEnds;
import dev.pawl.spring.WorkerCustomizer;
import dev.pawl.spring.WorkerLifecycle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * A queue on the application's {@code DataSource}, and a worker with its handlers. Each bean backs off if the
 * application defines its own.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnProperty(name = "pawl.enabled", matchIfMissing = true)
@EnableConfigurationProperties(PawlProperties.class)
public class PawlAutoConfiguration {
    private final ConfigurableListableBeanFactory beans;
    private final PawlProperties properties;

    PawlAutoConfiguration(ConfigurableListableBeanFactory beans, PawlProperties properties) {
        this.beans = beans;
        this.properties = properties;
        BootVersion.check();
    }

    @Bean
    @ConditionalOnMissingBean
    static TransactionEnds pawlTransactionEnds() {
        return new TransactionEnds();
    }

    /**
     * Chooses the transaction manager when the first run needs it, because a transaction manager may have many dependencies. The bean
     * itself is lazy, because a queue that the application defines may not need it.
     */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    SpringTransactions pawlTransactions(@PawlDataSource ObjectProvider<DataSource> marked) {
        DataSource dataSource = QueueDataSource.choose(beans, properties.datasource(), marked);
        return new SpringTransactions(
                dataSource,
                () -> QueueTransactionManager.choose(beans, properties.transactionManager(), dataSource),
                properties.otherTransactions());
    }

    /** Opened after the application's own tables have been created, by any migration tool. */
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    JobQueue jobQueue(
            SpringTransactions transactions,
            ObjectProvider<PayloadCodec> codec,
            ObjectProvider<EnqueueInterceptor> interceptors,
            ObjectProvider<JobQueueCustomizer> customizers) {
        JobQueueBuilder builder = JobQueue.builder(transactions.dataSource()).transactions(transactions);
        QueueOptions.apply(properties, builder);
        codec.ifUnique(builder::codec);
        interceptors.orderedStream().forEach(builder::interceptEnqueue);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.open();
    }

    @Bean
    @ConditionalOnMissingBean
    JobHandlers jobHandlers() {
        return new JobHandlers(beans);
    }

    @Bean
    @ConditionalOnMissingBean
    WorkerLifecycle jobWorker(
            JobQueue queue,
            JobHandlers handlers,
            ObjectProvider<RunInterceptor> interceptors,
            ObjectProvider<WorkerCustomizer> customizers,
            Environment environment) {
        Duration grace = Grace.of(properties.worker().shutdownTimeout(), environment);
        List<WorkerCustomizer> all = new ArrayList<>();
        all.add(worker -> {
            QueueOptions.requireWakes(properties.worker(), queue);
            QueueOptions.apply(properties.worker(), grace, worker);
        });
        customizers.orderedStream().forEach(all::add);
        interceptors.orderedStream().forEach(each -> all.add(worker -> worker.intercept(each)));
        return new WorkerLifecycle(queue, handlers, all, properties.worker().enabled());
    }
}
