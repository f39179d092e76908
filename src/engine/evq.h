#ifndef ST_ENGINE_EVQ_H
#define ST_ENGINE_EVQ_H
#endif
