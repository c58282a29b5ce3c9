package dev.pawl.micronaut;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.bean.FoundHandler;
import dev.pawl.internal.bean.FoundHandlers;
import dev.pawl.internal.bean.HandlerDeclaration;
import dev.pawl.internal.bean.HandlerMethod;
import dev.pawl.schedule.Schedule;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.context.processor.ExecutableMethodProcessor;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the methods with {@link JobHandler} while the context starts. */
@Singleton
final class HandlerMethods implements ExecutableMethodProcessor<JobHandler> {
    private final BeanContext beans;
    private final ConversionService conversion;
    private final List<FoundHandler> found = new ArrayList<>();

    HandlerMethods(BeanContext beans, ConversionService conversion) {
        this.beans = beans;
        this.conversion = conversion;
    }

    @Override
    public void process(BeanDefinition<?> bean, ExecutableMethod<?, ?> method) {
        Class<?> owner = bean instanceof AdvisedBeanType<?> advised ? advised.getInterceptedType() : bean.getBeanType();
        String place = owner.getName() + "." + method.getMethodName();
        found.add(HandlerDeclaration.placed(place, () -> handler(place, owner, bean, method)));
    }

    /** {@return the handlers, and the beans of the types JobType and Schedule} */
    FoundHandlers all() {
        Map<String, JobType<?>> types = new LinkedHashMap<>();
        for (BeanRegistration<?> each : beans.getBeanRegistrations(JobType.class)) {
            types.put("the JobType of bean '" + each.getIdentifier().getName() + "'", (JobType<?>) each.getBean());
        }
        Map<String, Schedule<?>> schedules = new LinkedHashMap<>();
        for (BeanRegistration<?> each : beans.getBeanRegistrations(Schedule.class)) {
            schedules.put(each.getIdentifier().getName(), (Schedule<?>) each.getBean());
        }
        return new FoundHandlers(found, types, schedules);
    }

    @SuppressWarnings("unchecked") // the bean has the type of its definition
    private FoundHandler handler(
            String place, Class<?> owner, BeanDefinition<?> bean, ExecutableMethod<?, ?> executable) {
        HandlerDeclaration declared = declaration(executable);
        HandlerMethod method = new HandlerMethod(
                executable.getReturnType().getType(),
                Arrays.stream(executable.getArguments()).map(Argument::asType).toList(),
                declared.chunk() > 0);
        ExecutableMethod<Object, Object> callable = (ExecutableMethod<Object, Object>) executable;
        return new FoundHandler(
                place,
                owner,
                declared.type(method.token()),
                declared.handler(method, arguments -> callable.invoke(beans.getBean(bean), arguments)),
                declared.options(),
                declared.transactional(),
                FoundHandler.Recurs.NOT);
    }

    private HandlerDeclaration declaration(AnnotationMetadata method) {
        return new HandlerDeclaration(
                text(method, "value"),
                method.intValue(JobHandler.class, "version").orElse(1),
                HandlerDeclaration.defaults(
                        text(method, "queue"),
                        method.intValue(JobHandler.class, "attempts").orElse(0)),
                options(method),
                method.booleanValue(JobHandler.class, "transactional").orElse(false),
                method.intValue(JobHandler.class, "chunk").orElse(0));
    }

    private static String text(AnnotationMetadata method, String member) {
        return method.stringValue(JobHandler.class, member).orElse("");
    }

    private HandlerOptions options(AnnotationMetadata method) {
        HandlerOptions options = HandlerOptions.DEFAULTS.weight(
                method.intValue(JobHandler.class, "weight").orElse(1));
        String timeout = text(method, "timeout");
        if (!timeout.isEmpty()) {
            options = options.timeout(conversion
                    .convert(timeout, Duration.class)
                    .orElseThrow(() -> new IllegalStateException(
                            "its timeout '" + timeout + "' is not a duration: write it as 30s or PT30S")));
        }
        String policy = text(method, "retryPolicy");
        return policy.isEmpty() ? options : options.retryPolicy(retryPolicy(policy));
    }

    private RetryPolicy retryPolicy(String bean) {
        return beans.findBean(RetryPolicy.class, Qualifiers.byName(bean))
                .orElseThrow(() -> new IllegalStateException("its retryPolicy '" + bean
                        + "' is not a bean of type RetryPolicy: declare one, or correct the name"));
    }
}
