package dev.pawl.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * On a Spring test, with {@code @SpringBootTest}: the application's worker does not start. Instead, an injected {@link JobsInTest} runs
 * jobs on request. Jobs stay after a test, unless {@link JobsInTest#eraseAll} erases all jobs of the database.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@TestPropertySource(properties = "pawl.worker.enabled=false")
@Import(JobsInTest.class)
public @interface PawlSpringTest {}
