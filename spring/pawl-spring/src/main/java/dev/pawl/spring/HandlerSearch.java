package dev.pawl.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Searches the definitions of all beans for handlers, without creating the beans. */
final class HandlerSearch {
    private static final List<Class<?>> FORMS = List.of(
            dev.pawl.api.JobHandler.class, dev.pawl.api.JobHandler.WithOutcome.class, dev.pawl.api.ChunkHandler.class);

    private final ConfigurableListableBeanFactory beans;

    HandlerSearch(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * A method with {@link JobHandler}.
     *
     * @param bean its name
     * @param owner its class, behind any proxy
     * @param method of it
     * @param annotation on it
     */
    record OnMethod(String bean, Class<?> owner, Method method, JobHandler annotation) {}

    List<OnMethod> methods() {
        List<OnMethod> found = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, List.of(JobHandler.class, Recurring.class))) {
                Class<?> owner = ClassUtils.getUserClass(type);
                MethodIntrospector.selectMethods(owner, HandlerSearch::annotation)
                        .forEach((method, annotation) -> found.add(new OnMethod(name, owner, method, annotation)));
            }
        }
        return found;
    }

    /** An annotation on a factory method belongs to the bean that it creates. */
    private static @Nullable JobHandler annotation(Method method) {
        if (AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
            return null;
        }
        JobHandler annotation = AnnotatedElementUtils.findMergedAnnotation(method, JobHandler.class);
        if (annotation == null && AnnotatedElementUtils.hasAnnotation(method, Recurring.class)) {
            throw new IllegalStateException(method.getDeclaringClass().getName() + "." + method.getName()
                    + " has @Recurring, but no @JobHandler, which says the kind of its jobs");
        }
        return annotation;
    }

    /** Returns the names of all beans that are handlers themselves. */
    Set<String> handlerBeans() {
        Set<String> names = new LinkedHashSet<>();
        for (Class<?> type : FORMS) {
            for (String name : beans.getBeanNamesForType(type, true, false)) {
                if (!ScopedProxyUtils.isScopedTarget(name)) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /**
     * Returns the payload type of a handler bean. Its class declares the type; for a lambda the {@code @Bean} method does. Null if neither
     * declares it.
     */
    @Nullable
    ResolvableType payload(String bean) {
        ResolvableType type = null;
        if (beans.containsBeanDefinition(bean)) {
            BeanDefinition definition = beans.getMergedBeanDefinition(bean);
            type = payload(definition.getResolvableType());
        }
        Class<?> target = AutoProxyUtils.determineTargetClass(beans, bean);
        if (type == null && target != null) {
            type = payload(ResolvableType.forClass(ClassUtils.getUserClass(target)));
        }
        return type;
    }

    private static @Nullable ResolvableType payload(ResolvableType bean) {
        for (Class<?> handler : FORMS) {
            ResolvableType payload = bean.as(handler).getGeneric(0);
            if (payload.resolve() != null && !payload.hasUnresolvableGenerics()) {
                return payload;
            }
        }
        return null;
    }
}
