package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.JobHandlers;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.cglib.core.ReflectUtils;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/**
 * A native image gets hints for everything accessed by name. Loads Spring in a class loader of its own, because Spring's code generator
 * gets every class that is created at run time, including those of applications that other tests start in parallel.
 */
@CompileWithForkedClassLoader
class AotTest {
    record Mail(String to, Address from) {}

    record Address(String street) {}

    record Invoice(long number) {}

    static class Mails {
        @JobHandler("mail")
        void send(Mail mail, JobRun run) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Program {
        @Bean
        Mails mails() {
            return new Mails();
        }

        @Bean
        @JobHandler("invoice")
        dev.pawl.api.JobHandler<Invoice> invoices() {
            return (invoice, run) -> {};
        }

        @Bean
        JobHandlers handlers(org.springframework.beans.factory.config.ConfigurableListableBeanFactory beans) {
            return new JobHandlers(beans);
        }
    }

    private static ClassName processAheadOfTime(GenericApplicationContext context, TestGenerationContext generation) {
        assertThat(ReflectUtils.class.getClassLoader())
                .as("what it tells of generated classes is static")
                .isNotSameAs(ClassLoader.getSystemClassLoader());
        ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        generation.writeGeneratedContent();
        return initializer;
    }

    @Test
    void handlersPayloadsAndStatementsAreReached() {
        GenericApplicationContext context = new GenericApplicationContext();
        new AnnotatedBeanDefinitionReader(context).register(Program.class);
        TestGenerationContext generation = new TestGenerationContext(AotTest.class);
        ClassName unused = processAheadOfTime(context, generation);
        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(hints.reflection().getTypeHint(Mails.class))
                .isNotNull()
                .satisfies(hint -> assertThat(hint.methods().map(ExecutableHint::getName)).contains("send"));
        for (Class<?> payload : new Class<?>[] {Mail.class, Address.class, Invoice.class}) {
            assertThat(RuntimeHintsPredicates.reflection().onType(payload)).accepts(hints);
        }
        for (String file : new String[] {"migrations/steps.txt", "migrations/sqlite/V1__pawl.sql", "sql/sqlite.sql"}) {
            assertThat(RuntimeHintsPredicates.resource().forResource("dev/pawl/" + file))
                    .as(file)
                    .accepts(hints);
        }
    }

    /** An application with everything that Spring Boot configures. It is started from generated code instead of annotations. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        static final BlockingQueue<String> DONE = new LinkedBlockingQueue<>();

        @Bean
        Mails mails() {
            return new Mails();
        }

        @Bean
        @JobHandler("invoice")
        dev.pawl.api.JobHandler<Invoice> invoices() {
            return (invoice, run) -> DONE.add("invoice " + invoice.number());
        }

        @JobHandler(value = "note", transactional = true)
        void note(String text) {
            DONE.add(text);
        }
    }

    @Test
    void anApplicationRunsAsGeneratedCode() {
        try (TestDatabase database = TestServers.sqlite().createDatabase()) {
            String[] excluded = App.WITHOUT_JPA.split("=", 2);
            TestPropertyValues properties =
                    TestPropertyValues.of("spring.datasource.url=" + database.jdbcUrl(), excluded[0] + "=" + excluded[1]);
            GenericApplicationContext annotated = new GenericApplicationContext();
            properties.applyTo(annotated.getEnvironment());
            new AnnotatedBeanDefinitionReader(annotated).register(Application.class);
            TestGenerationContext generation = new TestGenerationContext(AotTest.class);
            ClassName initializer = processAheadOfTime(annotated, generation);
            TestCompiler.forSystem()
                    .withCompilerOptions("-Xlint:none")
                    .with(generation)
                    .compile(compiled -> run(
                            compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()), properties));
        }
    }

    @SuppressWarnings("unchecked")
    private static void run(
            ApplicationContextInitializer<?> initializer, TestPropertyValues properties) {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            properties.applyTo(context.getEnvironment());
            ((ApplicationContextInitializer<GenericApplicationContext>) initializer).initialize(context);
            context.refresh();
            assertThat(context.getBean(JobHandlers.class).kinds())
                    .containsExactlyInAnyOrder("mail", "invoice", "note");
            JobQueue queue = context.getBean(JobQueue.class);
            queue.enqueue(JobType.of("invoice", Invoice.class), new Invoice(5));
            queue.enqueue(JobType.of("note", String.class), "noted");
            assertThat(List.of(take(), take())).containsExactlyInAnyOrder("invoice 5", "noted");
        }
    }

    private static String take() {
        try {
            return String.valueOf(Application.DONE.poll(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
