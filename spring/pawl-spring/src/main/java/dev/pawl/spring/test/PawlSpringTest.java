package dev.pawl.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestExecutionListeners;
import org.springframework.test.context.TestExecutionListeners.MergeMode;
import org.springframework.test.context.TestPropertySource;

/**
 * On a Spring test, with {@code @SpringBootTest}: the application's worker does not start, and {@link JobsInTest} can
 * be injected, which runs jobs on request. After each test, the jobs that were enqueued during it are erased; all older
 * ones stay, also those that the application enqueued when it started.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@TestPropertySource(properties = "pawl.worker.enabled=false")
@Import(JobsInTest.class)
@TestExecutionListeners(listeners = JobsOfOneTest.class, mergeMode = MergeMode.MERGE_WITH_DEFAULTS)
public @interface PawlSpringTest {}
