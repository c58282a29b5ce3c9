package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobRun;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.JobHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;

/** A native image is told what is reached by name. */
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
        dev.pawl.JobHandler<Invoice> invoices() {
            return (invoice, run) -> {};
        }

        @Bean
        JobHandlers handlers(org.springframework.beans.factory.config.ConfigurableListableBeanFactory beans) {
            return new JobHandlers(beans);
        }
    }

    @Test
    void handlersPayloadsAndStatementsAreReached() {
        GenericApplicationContext context = new GenericApplicationContext();
        new AnnotatedBeanDefinitionReader(context).register(Program.class);
        TestGenerationContext generation = new TestGenerationContext(AotTest.class);
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        generation.writeGeneratedContent();
        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(hints.reflection().getTypeHint(Mails.class))
                .isNotNull()
                .satisfies(hint -> assertThat(hint.methods().map(ExecutableHint::getName)).contains("send"));
        for (Class<?> payload : new Class<?>[] {Mail.class, Address.class, Invoice.class}) {
            assertThat(RuntimeHintsPredicates.reflection().onType(payload)).accepts(hints);
        }
        for (String file : new String[] {"migrations/steps.txt", "migrations/sqlite/V1__jobs.sql", "sql/sqlite.sql"}) {
            assertThat(RuntimeHintsPredicates.resource().forResource("dev/pawl/" + file))
                    .as(file)
                    .accepts(hints);
        }
    }
}
